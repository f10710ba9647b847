import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../repo.ts';

export interface ErrorText {
  /** As in the source, with `${…}`. */
  readonly source: string;
  /** Matches the text with any values. */
  readonly pattern: RegExp;
}

const LITERAL = String.raw`(?:'((?:[^'\\]|\\.)*)'|\`((?:[^\`\\]|\\.)*)\`)`;
/** `toolError('type', 'text')` and functions like it, `message = 'text'`, `problem: 'text'`. */
const PLACES: readonly RegExp[] = [
  String.raw`(?:toolError|failed|Refused|failure|failedSearch)\([^'\`;]*'\w+',\s*${LITERAL}`,
  String.raw`\bmessage = (?:\w[^;\`']*\? )?\(?\s*${LITERAL}`,
  String.raw`\b(?:message|problem): ${LITERAL}`,
].map((pattern) => new RegExp(pattern, 'g'));
const VALUE = /\$\{(?:[^{}]|\{[^{}]*\})*\}/;

/** The error texts in the sources of a folder, as far as they are next to the place that reports them. */
export function errorTextsIn(folder: string): readonly ErrorText[] {
  return readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(repoRoot, folder, path), 'utf8'))
    .flatMap((source) => PLACES.flatMap((place) => [...source.matchAll(place)]))
    .map(([, quoted, template]) => quoted ?? template ?? '')
    .filter((text) => text.replaceAll(new RegExp(VALUE, 'g'), '').trim().length > 3)
    .map((source) => ({ source, pattern: new RegExp(source.split(VALUE).map(literally).join('[^]*?')) }));
}

function literally(text: string): string {
  return text
    .replaceAll('\\n', '\n')
    .replace(/\\(.)/g, '$1')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
