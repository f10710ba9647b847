import { looksRandom } from './randomness.ts';
import type { SecretSpan } from './secret-kinds.ts';

/** From where keys begin to be long to where only data is: pictures, fonts, certificates. */
const TOKEN = /(?<![\w+/=-])[\w+/=-]{32,}/g;
const LONGEST = 128;

/** What is random and public: sums, signatures and names of things, and data that is written as text. */
const PUBLIC_BEFORE =
  /(?:sha(?:1|256|384|512)[-:=]?|h1:|base64,?|integrity|checksum|digest|hash|etag|nonce|fingerprint|signature|revision|cursor|mappings|(?:^|[^a-z])ids?)["']?\s*[:=]?\s*\(?["']?$|[/?&%#@.\\]$|https?:\S*$/i;
const PUBLIC = /^(?:sha\d|AAAA|MI[IG]|ssh-|[0-9a-f-]+$|[0-9A-F-]+$)/;
const LOOK_BACK = 60;

/** Text that stands by itself and looks as if a generator of keys had written it. */
export function randomTexts(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const { index: start, 0: token } of text.matchAll(TOKEN)) {
    const end = start + token.length;
    if (token.length > LONGEST || PUBLIC.test(token) || !looksRandom(token.replace(/=+$/, ''))) continue;
    if (PUBLIC_BEFORE.test(text.slice(Math.max(0, start - LOOK_BACK), start))) continue;
    if (/[\w(.[/%]/.test(text[end] ?? '') || isLineOfData(text, start, end) || isCode(token)) continue;
    found.push({ start, end, kind: 'random-text' });
  }
  return found;
}

/** Operators between short names, as in minified code; base64 has far fewer of them. */
function isCode(token: string): boolean {
  return (token.match(/[+=/-]/g)?.length ?? 0) > token.length / 5 || /=[^=]/.test(token);
}

/** Certificates and attachments: base64 in lines of the same length. */
function isLineOfData(text: string, start: number, end: number): boolean {
  const begins = start === 0 || /[\r\n]/.test(text[start - 1] ?? '');
  const ends = end === text.length || /[\r\n]/.test(text[end] ?? '');
  if (!begins || !ends || start === end) return false;
  const others = [text.slice(Math.max(0, start - 80), start), text.slice(end, end + 80)];
  return others.some((near) => near.split(/[\r\n]+/).some((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line)));
}
