import type { FolderCustomizations } from '../../runtime/knowledge/folder-customizations.ts';
import { Disposable } from '../base/disposable.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { trustNews } from './trust-words.ts';

/** Shows in the panel what became available when the folder was trusted, until the next run uses it. */
export class TrustNews extends Disposable {
  /** False while a run is in progress that began before the folder was trusted: the news is not about that run. */
  private wasIdle = false;
  private finds: FolderCustomizations | undefined;

  constructor(
    private readonly session: PanelSession,
    private readonly runtime: RuntimeLoader,
  ) {
    super();
    this.register(session.onDidChangeState(() => this.follow()));
  }

  /** The folder has just become trusted. Its customizations were not read before. */
  async tell(): Promise<void> {
    this.wasIdle = !this.session.isRunning;
    const service = await this.runtime.load();
    const finds = await service.findCustomizations();
    if (this.wasIdle && this.session.isRunning) return;
    this.finds = finds;
    this.show();
  }

  private follow(): void {
    if (!this.session.isRunning) {
      this.wasIdle = true;
      this.show();
    } else if (this.wasIdle) {
      this.finds = undefined;
      this.session.setTrustNews(undefined);
    }
  }

  private show(): void {
    if (this.finds) this.session.setTrustNews(trustNews(this.finds, !this.wasIdle));
  }
}
