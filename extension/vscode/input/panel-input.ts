import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { Delivery } from '../../protocol/agent/content-part.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { PanelHandlers } from '../../protocol/panel/host-messages.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import type { WorkspaceState } from '../base/workspace.ts';
import type { PanelContext } from '../context/panel-context.ts';
import type { StoredSessions } from '../library/stored-sessions.ts';
import type { McpServerList } from '../mcp/server-list.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { changesSettings, sendKey } from '../settings.ts';
import type { InputFeatures } from './input-features.ts';
import { InputHistory } from './input-history.ts';

interface PanelInputParts {
  readonly session: PanelSession;
  readonly sessions: StoredSessions;
  readonly context: PanelContext;
  readonly runtime: RuntimeLoader;
  readonly mcp: McpServerList;
  readonly state: WorkspaceState;
  readonly storage: vscode.Uri;
  readonly version: string;
  readonly log: Logger;
}

type InputMessage = 'inputFocused' | 'suggest' | 'mention' | 'slash' | 'openNotice' | 'attachUris' | 'attachData';
type Post = (message: ToPanel) => void;

/** The extension's side of the input: the session of its draft, its history, and its requests. */
export class PanelInput extends Disposable {
  private readonly features: LazyPart<InputFeatures>;
  private readonly history: InputHistory;
  private post: Post | undefined;
  /** Attachments that are not read yet. A message that is sent meanwhile waits for them. */
  private readonly coming = new Set<Promise<void>>();
  /** The session whose draft the panel holds, according to the last message to the panel. */
  private shownId: string | undefined;

  constructor(private readonly parts: PanelInputParts) {
    super();
    const { session, sessions, context, runtime, mcp, storage, version, log, state } = parts;
    this.history = new InputHistory(state);
    this.features = this.register(
      new LazyPart(async () => {
        const { InputFeatures } = await import('./input-features.ts');
        const { attachments } = context;
        return new InputFeatures({ session, sessions, attachments, runtime, mcp, storage, version, log });
      }),
    );
    context.previewWith(async (kind, content) => (await this.features.load()).previews.of(kind, content));
    this.register(session.onDidReplace(() => this.tellSession(true)));
    this.register(session.onDidChangeState(() => this.tellSession(false)));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (changesSettings(event)) this.tellSettings();
      }),
    );
  }

  /** A page is connected and listens for messages. */
  show(post: Post): void {
    this.post = post;
    this.tellSettings();
    if (!this.parts.session.isComing) this.tell(true);
  }

  hide(): void {
    this.post = undefined;
  }

  /** Returns undefined if the message was accepted, else the reason. */
  async send(text: string, delivery: Delivery | undefined, again?: readonly string[]): Promise<Problem | undefined> {
    await Promise.allSettled(this.coming);
    const refused = await this.parts.context.send(text, delivery, again);
    if (!refused) await this.remember(text);
    return refused;
  }

  /** Returns undefined if the command ran or was accepted as a message, else the reason. `again` works as in `send`. */
  async runSlash(text: string, again?: readonly string[]): Promise<Problem | undefined> {
    const features = await this.features.load();
    await Promise.allSettled(this.coming);
    const outcome = await features.run(text);
    if (outcome && 'refused' in outcome) return outcome.refused;
    if (outcome && 'say' in outcome) {
      const refused = await this.parts.context.send(outcome.say, undefined, again);
      if (refused) return refused;
    }
    if (outcome && 'notice' in outcome) this.post?.({ type: 'notice', notice: features.notices.offer(outcome.notice) });
    await this.remember(text.trim());
    return undefined;
  }

  /** Whether the attachment can be sent again with a message. */
  isKnown(attachmentId: string): boolean {
    return this.parts.context.attachments.isKnown(attachmentId);
  }

  async remember(text: string): Promise<void> {
    await this.history.add(text);
  }

  handlers(answer: (ref: number, refused: Problem | undefined) => Promise<void>): Pick<PanelHandlers, InputMessage> {
    const post: Post = (message) => this.post?.(message);
    return {
      inputFocused: async () => (await this.features.load()).prepare(),
      suggest: async ({ id, about, query }) => (await this.features.load()).suggest(id, about, query, post),
      mention: ({ id }) => this.attach((features) => features.mention(id)),
      slash: async ({ ref, text }) => answer(ref, await this.runSlash(text)),
      openNotice: async ({ link }) => (await this.features.load()).notices.open(link),
      attachUris: ({ uris }) => this.attach((features) => features.attachUris(uris)),
      attachData: ({ type: _, ...pasted }) => this.attach((features) => features.attachData(pasted)),
    };
  }

  private async attach(add: (features: InputFeatures) => Promise<void>): Promise<void> {
    const adding = this.features.load().then(add);
    this.coming.add(adding);
    await adding.finally(() => this.coming.delete(adding));
  }

  private tellSettings(): void {
    this.post?.({ type: 'input', sendKey: sendKey(), history: [...this.history.entries] });
  }

  private tellSession(replaced: boolean): void {
    if (replaced || this.parts.session.id !== this.shownId) this.tell(replaced);
  }

  private tell(replaced: boolean): void {
    const { id } = this.parts.session;
    this.shownId = id;
    this.post?.({ type: 'inputOf', ...(id !== undefined && { session: id }), replaced });
  }
}
