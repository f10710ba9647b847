import type { Logger } from '../../ports/logger.ts';
import type { ProtectedEntry } from '../../protocol/transcript/protected-entry.ts';
import type { Attention } from '../base/attention.ts';
import { Disposable } from '../base/disposable.ts';
import type { LazyPart } from '../base/lazy-part.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { ProtectedFileReview } from './protected-files.ts';

/** Notifies the user once about each change of protected files by a command, if the panel is not visible. */
export class ProtectedNotices extends Disposable {
  private readonly notified = new Set<string>();

  constructor(
    session: PanelSession,
    private readonly attention: Attention,
    private readonly review: LazyPart<ProtectedFileReview>,
    private readonly log: Logger,
  ) {
    super();
    this.register(
      session.onDidChangeTranscript((changes) => {
        for (const change of changes) {
          if (change.op === 'put' && change.entry.kind === 'protected') this.take(change.entry);
        }
      }),
    );
  }

  private take(entry: ProtectedEntry): void {
    const isNews = !this.notified.has(entry.change);
    this.notified.add(entry.change);
    if (!isNews || this.attention.isOnPanel) return;
    this.review
      .load()
      .then((review) => review.notify(entry))
      .catch((error: unknown) => this.log.error('A change of protected files could not be told', error));
  }
}
