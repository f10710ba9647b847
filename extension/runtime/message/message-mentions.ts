import { injectFile } from '../../commands/inject-file.ts';
import { type AtMention, atMentions, looksLikePath } from '../../context/at-mentions.ts';
import { givenBytes } from '../../context/piped-input.ts';
import { guardPath } from '../../files/path-guard.ts';
import { attachedResource } from '../../mcp/attached-resource.ts';
import type { ToolContext } from '../../ports/tool.ts';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import { attachmentPart, mediaPart } from '../../protocol/agent/reference-parts.ts';
import type { SessionCalls } from '../calls/session-calls.ts';
import type { SharedParts } from '../session-parts.ts';
import { isWrittenIn } from './named-by-user.ts';

export interface MentionedContent {
  readonly parts: readonly ContentPart[];
  /**
   * Messages for users about mentions that look like a file but were not attached. They stay in the message as text.
   */
  readonly problems: readonly string[];
}

export interface MentioningText {
  readonly text: string;
  /** Whether the user typed it. Other text may come from anyone: it can't name hidden files, and no server is asked. */
  readonly isTyped: boolean;
}

/** Longer than any healthy server takes. */
const SERVERS_MS = 30_000;

/** `what` identifies the content, so that it is attached once even if it is mentioned in two ways. */
type Brought =
  | { readonly what: string; readonly parts: readonly ContentPart[] }
  | { readonly problem: string }
  | undefined;

/** Resolves `@path` and `@server:uri` in messages on the command line, where the user can't pick from a list. */
export class MessageMentions {
  constructor(
    private readonly shared: Pick<SharedParts, 'mcp'>,
    /** Throws if the session is not open. */
    private readonly callsOf: (sessionId: string) => SessionCalls,
  ) {}

  /** Rejects with a `ProblemError` if a resource exists but can't be read. */
  async of(sessionId: string, said: MentioningText, signal: AbortSignal): Promise<MentionedContent> {
    const parts = new Map<string, readonly ContentPart[]>();
    const problems: string[] = [];
    for (const [at, mention] of atMentions(said.text).entries()) {
      signal.throwIfAborted();
      const context = { ...this.callsOf(sessionId).readingContext(), signal, isNamedByUser: namedIn(said, mention) };
      const id = `mention-${at}`;
      const brought =
        (said.isTyped ? await this.resource(mention, id, signal) : undefined) ??
        (await file(mention, id, context, await this.isOfIdleServer(mention, context)));
      if (!brought) continue;
      if ('parts' in brought) parts.set(brought.what, brought.parts);
      else problems.push(brought.problem);
    }
    return { parts: [...parts.values()].flat(), problems };
  }

  /** Attaches a resource. Servers are started only if the mention begins with the name of a server. */
  private async resource({ names }: AtMention, id: string, signal: AbortSignal): Promise<Brought> {
    const { mcp } = this.shared;
    if (!names.some((name) => name.includes(':'))) return undefined;
    await mcp.look();
    const named = mcp.statuses.find(({ name: server }) => names.some((name) => name.startsWith(`${server}:`)));
    if (!named) return undefined;
    await mcp.refresh();
    await mcp.settled(SERVERS_MS);
    const found = mcp.resources.find(({ server, uri }) => names.includes(`${server}:${uri}`));
    if (!found) return notAttached(names[0], `The MCP server "${named.name}" lists no such resource.`);
    const label = `${found.server}:${found.uri}`;
    const content = await attachedResource(mcp, found, signal);
    const given = 'text' in content ? content : givenBytes(Buffer.from(content.data, 'base64'));
    if (!given) return notAttached(label, 'It is neither text nor a picture or document.');
    if ('text' in given) return { what: label, parts: [attachmentPart({ id, kind: 'resource', label }, given.text)] };
    const kind = given.mimeType.startsWith('image/') ? 'image' : 'document';
    return { what: label, parts: [mediaPart({ id, kind, label }, given.data, given.mimeType)] };
  }

  /** Whether the mention names a server that would be asked if the folder were trusted. */
  private async isOfIdleServer({ names }: AtMention, { workspace }: ToolContext): Promise<boolean> {
    if (workspace.isTrusted() || !names.some((name) => name.includes(':'))) return false;
    if (names.some((name) => /^[^/:]+:[^/]+:\/\//.test(name))) return true;
    const servers = await this.shared.mcp.names();
    return servers.some((server) => names.some((name) => name.startsWith(`${server}:`)));
  }
}

const NOT_STARTED = 'MCP servers are not started in a folder that is not trusted. Trust it with --trust.';

/** Attaches a file, with the same guards as files that the model reads. */
async function file({ names }: AtMention, id: string, context: ToolContext, isOfIdleServer: boolean): Promise<Brought> {
  let refused = 'There is no such file in the folder.';
  for (const name of names) {
    // Includes the `@`, because a folder may really be called `@types`.
    const guarded = await guardPath(`@${name}`, context.workspace.roots());
    if (!guarded.allowed) refused = guarded.message;
    if (!guarded.allowed || !guarded.exists) continue;
    const injected = await injectFile(guarded.path, id, context);
    return 'parts' in injected ? { what: guarded.path, ...injected } : notAttached(name, injected.problem);
  }
  if (isOfIdleServer) return notAttached(names[0], NOT_STARTED);
  // Any other text after an `@` is not a mention.
  const path = names.find(looksLikePath);
  return path === undefined ? undefined : notAttached(path, refused);
}

function namedIn({ text, isTyped }: MentioningText, { names }: AtMention): ToolContext['isNamedByUser'] {
  return (relativePath) => isTyped && isWrittenIn([text, ...names].join('\n'), relativePath);
}

function notAttached(name: string | undefined, why: string): Brought {
  return { problem: `@${name ?? ''} was not attached. ${why}` };
}
