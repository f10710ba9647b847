import type { Logger } from '../../../ports/logger.ts';
import type { SuggestionGroup } from '../../../protocol/panel/input-to-panel.ts';
import type { ToPanel } from '../../../protocol/panel/panel-messages.ts';
import { Disposable } from '../../base/disposable.ts';
import type { NewAttachment } from '../../context/attachments.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';

type Suggestions = Extract<ToPanel, { type: 'suggestions' }>;
type Post = (message: Suggestions) => void;

interface Request {
  readonly id: number;
  readonly query: string;
  readonly post: Post;
  readonly ending: AbortController;
  /** The results by source; undefined while the source is still searching. */
  readonly found: (readonly Mention[] | undefined)[];
}

/** Mentions of the last lists stay valid, because a list may change under the pointer. */
const MOST_OFFERED = 500;

/** The mentions that `@` offers, from all sources. Only the last query counts; results are posted as they arrive. */
export class Mentions extends Disposable {
  private request: Request | undefined;
  private readonly offered = new Map<string, Mention>();
  private lastOffer = 0;

  constructor(
    private readonly sources: readonly MentionSource[],
    private readonly log: Logger,
  ) {
    super();
    this.register({ dispose: () => this.request?.ending.abort() });
    for (const source of sources) {
      const listening = source.onDidChange?.(() => this.again());
      if (listening) this.register(listening);
    }
  }

  suggest(id: number, query: string, post: Post): Promise<void> {
    return this.run({ id, query, post, ending: new AbortController(), found: this.sources.map(() => undefined) });
  }

  /** Aborts the current query, because its list is no longer shown. */
  end(): void {
    this.request?.ending.abort();
    this.request = undefined;
  }

  /** Returns the attachment of a mention. Undefined if the mention was not offered, or if it only names something. */
  async take(id: string): Promise<NewAttachment | undefined> {
    this.end();
    return this.offered.get(id)?.attach?.();
  }

  private again(): void {
    if (this.request) void this.suggest(this.request.id, this.request.query, this.request.post);
  }

  private async run(request: Request): Promise<void> {
    this.request?.ending.abort();
    this.request = request;
    let isShown = false;
    const looking = this.sources.map(async (source, index) => {
      request.found[index] = await this.search(source, request);
      if (isShown) this.postFound(request);
    });
    await Promise.all(looking.filter((_, index) => !this.sources[index]?.isSlow));
    isShown = true;
    this.postFound(request);
    await Promise.all(looking);
  }

  private async search(source: MentionSource, { query, ending }: Request): Promise<readonly Mention[]> {
    try {
      return await source.search(query, ending.signal);
    } catch (error) {
      if (!ending.signal.aborted) this.log.warn(`${source.title} could not be searched for mentions: ${String(error)}`);
      return [];
    }
  }

  private postFound({ id, query, post, ending, found }: Request): void {
    if (ending.signal.aborted) return;
    post({ type: 'suggestions', id, groups: this.groupsOf(found, query), pending: found.includes(undefined) });
  }

  private groupsOf(found: Request['found'], query: string): SuggestionGroup[] {
    const leads = ({ leadsByName }: MentionSource, index: number): boolean =>
      leadsByName === true && query !== '' && (found[index] ?? []).some(({ name }) => name.startsWith(query));
    const titles = [...new Set([...this.sources.filter(leads), ...this.sources].map(({ title }) => title))];
    const groups = titles.map((title) => ({
      title,
      items: found.flatMap((mentions = [], index) =>
        this.sources[index]?.title === title ? mentions.map((mention) => this.offer(mention)) : [],
      ),
    }));
    return groups.filter(({ items }) => items.length > 0);
  }

  private offer(mention: Mention): SuggestionGroup['items'][number] {
    const { icon, label, marks = [], detail, name } = mention;
    const id = `m${++this.lastOffer}`;
    this.offered.set(id, mention);
    const [oldest] = this.offered.keys();
    if (this.offered.size > MOST_OFFERED && oldest !== undefined) this.offered.delete(oldest);
    return { id, icon, label, marks: [...marks], detail, insert: `@${name.replace(/\s+/g, '-')} ` };
  }
}
