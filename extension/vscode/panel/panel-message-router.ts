import { type PanelHandlers, readHostMessage, type ToHost } from '../../protocol/panel/host-messages.ts';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import { reportFailure } from '../base/report.ts';
import { type HandlerTargets, panelHandlers } from './panel-handlers.ts';

/** Does what the page says. It comes with the first message of a page, and brings the schemas that those are read with. */
export class PanelMessageRouter extends Disposable {
  private readonly handlers: PanelHandlers;

  constructor(private readonly targets: Omit<HandlerTargets, 'rewinds' | 'threads'>) {
    super();
    const { session, view } = targets;
    const rewinds = this.register(
      new LazyPart(async () => new (await import('../rewind/rewind-sheet.ts')).RewindSheet(session)),
    );
    const threads = this.register(
      new LazyPart(async () => {
        const { ThreadFeed } = await import('../transcript/thread-feed.ts');
        return new ThreadFeed(session, (message) => view.post(message));
      }),
    );
    this.handlers = panelHandlers({ ...targets, rewinds, threads });
  }

  receive(message: unknown): void {
    const { log } = this.targets;
    const parsed = readHostMessage(message);
    if (!parsed.success) {
      log.warn(`A panel message of the wrong shape was ignored: ${parsed.error.message}`);
      return;
    }
    const { type } = parsed.data;
    this.handle(parsed.data).catch((error: unknown) => reportFailure(`"${type}" from the panel`, error, log));
  }

  private async handle<Type extends ToHost['type']>(message: Extract<ToHost, { type: Type }>): Promise<void> {
    await this.handlers[message.type as Type](message);
  }
}
