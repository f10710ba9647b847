import { hostProblem, parseWebUrl, toRawUrl } from './web-url.ts';

export const MAX_URLS = 20;

export interface RequestedUrls {
  /** As they will be requested, each once. */
  readonly urls: readonly URL[];
  /** What cannot be fetched and why, for the model. */
  readonly problems: readonly string[];
}

/** The scheme is bounded so that a long text without URLs costs no more than reading it. */
const URL_LIKE = /\b[a-z][a-z0-9+.-]{1,19}:\/\/[^\s<>"'`\\^{|}]*/gi;

/** Everything in a text that looks like a URL. */
export function urlsInText(text: string): RequestedUrls {
  const candidates = [...text.matchAll(URL_LIKE)].map(([match]) => withoutSentenceEnd(match));
  return checkUrls(candidates);
}

export function checkUrls(candidates: readonly string[]): RequestedUrls {
  const urls = new Map<string, URL>();
  const problems: string[] = [];
  for (const candidate of new Set(candidates)) {
    const parsed = parseWebUrl(candidate);
    const problem = 'problem' in parsed ? parsed.problem : hostProblem(parsed.url);
    if ('problem' in parsed || problem !== undefined) {
      problems.push(`${candidate.slice(0, 200)}: ${problem}`);
    } else {
      const url = toRawUrl(parsed.url);
      urls.set(url.href, url);
    }
  }
  return { urls: [...urls.values()], problems };
}

/** A full stop or bracket after a URL belongs to the sentence, unless the bracket was opened in the URL. */
function withoutSentenceEnd(match: string): string {
  const sentence = `.,;:!?*_~${match.includes('(') ? '' : ')'}${match.includes('[') ? '' : ']'}`;
  let end = match.length;
  while (end > 0 && sentence.includes(match.charAt(end - 1))) end--;
  return match.slice(0, end);
}
