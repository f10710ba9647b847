import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { Found } from '../../extension/protocol/panel/panel-messages.ts';

type Request = Extract<ToHost, { type: 'find' }>;

/** What is looked for in the conversation, and what the host has found. */
export class Find {
  isOpen = false;
  query = '';
  found: Found | undefined;
  /** What comes next is only a new count: the reader is not to be moved. */
  isRefresh = false;
  private ref = 0;
  /** The reader waits for an answer; it counts again as well. */
  private isAsked = false;

  constructor(private readonly post: (request: Request) => void) {}

  /** What the words were found in, if they are looked for. */
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
  }

  /** The conversation has changed: how many are there now? */
  refresh(): void {
    const { current } = this;
    if (!this.isOpen || this.query === '' || this.isAsked) return;
    this.isRefresh = true;
    this.send(this.query, 'here', current && { id: current.id, nth: current.nth });
  }

  /** From the match of this moment on, else from the entry that the reader sees first. */
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

  /** An answer that is on its way is too late. */
  private forget(): void {
    this.ref++;
    this.isAsked = false;
  }

  private send(query: string, go: Request['go'], from: Request['from']): void {
    this.post({ type: 'find', ref: ++this.ref, query, go, ...(from && { from }) });
  }

  /** False when something else is looked for by now. */
  take(found: Found): boolean {
    if (!this.isOpen || found.ref !== this.ref) return false;
    this.found = found;
    this.isAsked = false;
    return true;
  }
}
