import type { Part } from '@google/genai';
import { asUntrusted } from '../../text/untrusted.ts';
import type { FetchedPage } from './fetched-page.ts';

/** The limit for all pages together, as in Gemini CLI. */
const MAX_CHARS = 250_000;

/** A request with all of its attachments may have 20 MB, and base64 makes attachments a third larger. */
const MAX_MEDIA_CHARS = 12_000_000;

/** The pages for the model. Each is in its own block, so that none can speak for another. */
export function pagesAsContent(pages: readonly FetchedPage[], problems: readonly string[]): string | readonly Part[] {
  const shares = shareBudget(pages.map(textLength), MAX_CHARS);
  const attached = attachable(pages);
  const blocks = pages.flatMap((page, index) => block(page, shares[index] ?? 0, attached.has(page)));
  const notes = problems.length === 0 ? [] : [`Not fetched:\n${problems.map((text) => `- ${text}`).join('\n')}`];
  const text = [...blocks, ...notes].join('\n\n');
  const media = [...attached.values()];
  return media.length === 0 ? text : [{ text }, ...media];
}

function textLength(page: FetchedPage): number {
  return page.kind === 'page' && page.content.kind === 'text' ? page.content.text.length : 0;
}

function attachable(pages: readonly FetchedPage[]): ReadonlyMap<FetchedPage, Part> {
  const attached = new Map<FetchedPage, Part>();
  let chars = 0;
  for (const page of pages) {
    if (page.kind !== 'page' || page.content.kind !== 'media') continue;
    const { part } = page.content;
    const size = part.inlineData?.data?.length ?? 0;
    if (chars + size > MAX_MEDIA_CHARS) continue;
    chars += size;
    attached.set(page, part);
  }
  return attached;
}

function block(page: FetchedPage, share: number, isAttached: boolean): readonly string[] {
  if (page.kind === 'failed') return [];
  if (page.kind === 'redirect') {
    const target = asUntrusted(page.location);
    return [
      `${page.url.href} redirects to another site, which was not visited. To go there, fetch its URL:\n${target}`,
    ];
  }
  const from = page.source.href === page.url.href ? '' : `, from ${page.source.href}`;
  const heading = `${page.url.href} (status ${page.status}${from})`;
  const { content } = page;
  if (content.kind === 'other') return [`${heading}: ${content.note}, not shown.`];
  if (content.kind === 'media') {
    return [
      isAttached ? `${heading}: ${content.mimeType}, attached.` : `${heading}: too large to attach with the rest.`,
    ];
  }
  const isCut = content.isCut || share < content.text.length;
  return [`${heading}${isCut ? ', cut' : ''}:\n${asUntrusted(content.text.slice(0, share))}`];
}

/**
 * Divides a budget among texts. Short texts get all they need, and the rest is shared evenly: with a budget of 10,
 * lengths 1, 4 and 20 get 1, 4 and 5.
 */
export function shareBudget(lengths: readonly number[], budget: number): readonly number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  let left = budget;
  shortestFirst.forEach(({ length, index }, done) => {
    const share = Math.min(length, Math.floor(left / (lengths.length - done)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
