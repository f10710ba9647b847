import * as l10n from '@vscode/l10n';
import type { ServerResource } from '../../mcp/connection-types.ts';
import type { OfServer } from '../../mcp/mcp-servers.ts';
import { ProblemError } from '../../protocol/problem.ts';
import type { NewAttachment } from '../context/attachments.ts';
import { fuzzyMatch } from '../input/fuzzy.ts';
import type { Mention, MentionSource } from '../input/mentions/mention-source.ts';
import type { McpSurface } from './mcp-surface.ts';

const MOST_SHOWN = 20;
/** Longer than any server takes that is well. */
const READ_MS = 60_000;

/** Makes an attachment of a file that was not on disk. */
type AttachData = (name: string, data: string) => Promise<NewAttachment>;

/** Resources of MCP servers. What is in them is read when they are taken, as it is then. */
export class ResourceMentions implements MentionSource {
  readonly title = l10n.t('MCP resources');

  constructor(
    private readonly surface: McpSurface,
    private readonly attachData: AttachData,
  ) {}

  onDidChange(listener: () => void): { dispose(): void } {
    return this.surface.onDidChange(listener);
  }

  async search(query: string): Promise<readonly Mention[]> {
    const found = this.surface.resources.flatMap((resource) => {
      const match = fuzzyMatch(query, labelOf(resource)) ?? fuzzyMatch(query, `${resource.server}:${resource.uri}`);
      return match ? [{ resource, match }] : [];
    });
    found.sort((left, right) => right.match.score - left.match.score);
    return found.slice(0, MOST_SHOWN).map(({ resource }) => this.mention(resource, query));
  }

  private mention(resource: OfServer<ServerResource>, query: string): Mention {
    const { server, uri } = resource;
    return {
      icon: 'resource',
      label: labelOf(resource),
      marks: fuzzyMatch(query, labelOf(resource))?.positions ?? [],
      detail: `${server}: ${uri}`,
      name: `${server}:${uri}`,
      attach: () => this.attach(resource),
    };
  }

  private async attach(resource: OfServer<ServerResource>): Promise<NewAttachment> {
    const { server, uri } = resource;
    const servers = await this.surface.load();
    const answer = await servers.resourceContent(server, uri, AbortSignal.timeout(READ_MS));
    if ('failed' in answer) throw notAttached(labelOf(resource), answer.failed.message);
    if ('data' in answer.value) return this.attachData(labelOf(resource), answer.value.data);
    return { kind: 'resource', label: `${server}:${uri}`, content: { text: answer.value.text } };
  }
}

function labelOf({ title, name }: ServerResource): string {
  return (title ?? name).replace(/\s+/g, ' ').slice(0, 200);
}

function notAttached(label: string, detail: string): ProblemError {
  return new ProblemError({
    kind: 'not-found',
    title: l10n.t('{0} was not attached', label),
    detail,
    actions: ['show-log'],
  });
}
