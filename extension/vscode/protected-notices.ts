import type { ProtectedEntry } from '../protocol/protected-entry.ts';
import type { Logger } from '../runtime/host.ts';
import type { Attention } from './approvals/attention.ts';
import { Disposable } from './disposable.ts';
import type { Later } from './later.ts';
import type { PanelSession } from './panel-session.ts';
import type { ProtectedSurface } from './protected-surface.ts';

/** Tells of protected files that a command changed while the user does not see the panel; of each change once. */
export class ProtectedNotices extends Disposable {
  private readonly told = new Set<string>();

  constructor(
    session: PanelSession,
    private readonly attention: Attention,
    private readonly surface: Later<ProtectedSurface>,
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
    const isNews = !this.told.has(entry.change);
    this.told.add(entry.change);
    if (!isNews || this.attention.isOnPanel) return;
    this.surface
      .load()
      .then((surface) => surface.notify(entry))
      .catch((error: unknown) => this.log.error('A change of protected files could not be told', error));
  }
}
