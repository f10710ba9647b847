import type { Delivery } from '../../protocol/agent-protocol.ts';
import type { ContentPart } from '../../protocol/content-part.ts';
import type { ToPanel } from '../../protocol/panel-messages.ts';
import type { Problem } from '../../protocol/problem.ts';
import { attachmentOf } from '../../protocol/reference.ts';
import type { Logger } from '../../runtime/host.ts';
import { Disposable } from '../disposable.ts';
import type { PanelSession } from '../panel-session.ts';
import type { WorkspaceState } from '../remembered-session.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { Attachments } from './attachments.ts';
import { KeptAttachments } from './kept-attachments.ts';
import { OpenEditorContext } from './open-editor.ts';
import { readAttached } from './read-attached.ts';

/** What goes with the next message besides words: shown as chips, sent with it, back again when it is refused. */
export class PanelContext extends Disposable {
  readonly attachments: Attachments;
  private readonly editor: OpenEditorContext;
  private post: ((message: ToPanel) => void) | undefined;

  constructor(
    private readonly session: PanelSession,
    runtime: RuntimeLoader,
    state: WorkspaceState,
    log: Logger,
  ) {
    super();
    this.attachments = this.register(new Attachments(readAttached(runtime), new KeptAttachments(state, log)));
    this.editor = this.register(new OpenEditorContext(state, runtime, log));
    this.register(this.attachments.onDidChange(() => this.postAttachments()));
    this.register(this.editor.onDidChange(() => this.postEditor()));
    this.register(session.onDidReturnAttachments((ids) => this.attachments.giveBack(ids)));
  }

  /** A page listens. */
  show(post: (message: ToPanel) => void): void {
    this.post = post;
    this.postAttachments();
    this.postEditor();
    this.editor.follow(true);
  }

  hide(): void {
    this.post = undefined;
    this.editor.follow(false);
  }

  includeEditor(included: boolean): Promise<void> {
    return this.editor.include(included);
  }

  /** Undefined when the message was taken, else why not. */
  async send(text: string, delivery: Delivery | undefined): Promise<Problem | undefined> {
    let taken: readonly ContentPart[] = [];
    const refused = await this.session.send(text, delivery, async () => {
      taken = await this.attachments.take();
      return [...taken, ...(await this.editor.parts(this.session.knownEditor))];
    });
    if (refused) this.attachments.giveBack(taken.flatMap((part) => attachmentOf(part)?.id ?? []));
    return refused;
  }

  private postAttachments(): void {
    this.post?.({ type: 'attachments', attachments: [...this.attachments.items] });
  }

  private postEditor(): void {
    const { chip } = this.editor;
    this.post?.({ type: 'editor', ...(chip && { chip }) });
  }
}
