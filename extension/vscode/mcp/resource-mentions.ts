import * as l10n from '@vscode/l10n';
import { attachedResource, resourceLabel } from '../../mcp/attached-resource.ts';
import type { OfServer, ServerResource } from '../../mcp/connection-types.ts';
import type { NewAttachment } from '../context/attachments.ts';
import { fuzzyMatch } from '../suggestions/fuzzy.ts';
import type { Mention, MentionSource } from '../suggestions/mention-source.ts';
import type { McpServerList } from './server-list.ts';

const MOST_SHOWN = 20;

/** Makes an attachment from data that is not a file on disk. */
type AttachData = (name: string, data: string) => Promise<NewAttachment>;

/** Resources of MCP servers. A resource is read when the user picks it. */
export class ResourceMentions implements MentionSource {
  readonly title = l10n.t('MCP resources');

  constructor(
    private readonly list: McpServerList,
    private readonly attachData: AttachData,
  ) {}

  onDidChange(listener: () => void): { dispose(): void } {
    return this.list.onDidChange(listener);
  }

  async search(query: string): Promise<readonly Mention[]> {
    const found = this.list.resources.flatMap((resource) => {
      const match =
        fuzzyMatch(query, resourceLabel(resource)) ?? fuzzyMatch(query, `${resource.server}:${resource.uri}`);
      return match ? [{ resource, match }] : [];
    });
    found.sort((left, right) => right.match.score - left.match.score);
    return found.slice(0, MOST_SHOWN).map(({ resource }) => this.mention(resource, query));
  }

  private mention(resource: OfServer<ServerResource>, query: string): Mention {
    const { server, uri } = resource;
    return {
      icon: 'resource',
      label: resourceLabel(resource),
      marks: fuzzyMatch(query, resourceLabel(resource))?.positions ?? [],
      detail: `${server}: ${uri}`,
      name: `${server}:${uri}`,
      attach: () => this.attach(resource),
    };
  }

  private async attach(resource: OfServer<ServerResource>): Promise<NewAttachment> {
    const { server, uri } = resource;
    const content = await attachedResource(await this.list.load(), resource);
    if ('data' in content) return this.attachData(resourceLabel(resource), content.data);
    return { kind: 'resource', label: `${server}:${uri}`, content: { text: content.text } };
  }
}
