import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { Found } from '../../extension/protocol/panel/panel-messages.ts';

type Request = Extract<ToHost, { type: 'find' }>;

/** The minimum time between counting the matches again while entries change. */
const COUNT_MS = 500;

/** The query in the conversation, and the host's result. */
export class Find {
  isOpen = false;
  query = '';
  found: Found | undefined;
  /** True if the next result only updates the count, so the reader must not be scrolled. */
  isRefresh = false;
  private ref = 0;
  /** True while the reader waits for a result, which also updates the count. */
  private isAsked = false;
  private counting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly post: (request: Request) => void) {}

  /** The current match while the find bar is open. */
  get current(): Found['current'] {
    return this.isOpen ? this.found?.current : undefined;
  }

  open(query: string | undefined): void {
    this.isOpen = true;
    if (query !== undefined) this.query = query;
  }

  close(): void {
    this.isOpen = false;
    this.found = undefined;
    this.forget();
    clearTimeout(this.counting);
    this.counting = undefined;
  }

  /** Updates the count in a moment, for all changes until then. */
  refreshSoon(): void {
    if (!this.isOpen) return;
    this.counting ??= setTimeout(() => {
      this.counting = undefined;
      this.refresh();
    }, COUNT_MS);
  }

  /** Updates the count after the conversation changed. */
  refresh(): void {
    const { current } = this;
    if (!this.isOpen || this.query === '' || this.isAsked) return;
    this.isRefresh = true;
    this.send(this.query, 'here', current && { id: current.id, nth: current.nth });
  }

  /** Searches from the current match, or otherwise from the first visible entry. */
  ask(query: string, go: Request['go'], firstSeen: string | undefined): void {
    const isOther = query !== this.query;
    const { current } = this;
    this.query = query;
    if (query === '') {
      this.found = undefined;
      this.forget();
      return;
    }
    const at = current && !isOther ? { id: current.id, nth: current.nth } : undefined;
    const place = current?.id ?? firstSeen;
    const from = at ?? (place === undefined ? undefined : { id: place, nth: 0 });
    this.isRefresh = false;
    this.isAsked = true;
    this.send(query, go, from);
  }

  /** Ignores a result that is still to come. */
  private forget(): void {
    this.ref++;
    this.isAsked = false;
  }

  private send(query: string, go: Request['go'], from: Request['from']): void {
    this.post({ type: 'find', ref: ++this.ref, query, go, ...(from && { from }) });
  }

  /** Returns false if the result is outdated. */
  take(found: Found): boolean {
    if (!this.isOpen || found.ref !== this.ref) return false;
    this.found = found;
    this.isAsked = false;
    return true;
  }
}
