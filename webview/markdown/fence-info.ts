import { classifyLink } from './links.ts';

/** The info string after the opening fence of a code block. */
export interface FenceInfo {
  readonly language: string;
  /** The file that the code is from or for, if the answer names one. */
  readonly path?: string;
}

/** `ts`, `ts src/a.ts`, `ts title="src/a.ts"`, `ts:src/a.ts`, `src/a.ts` */
export function fenceInfo(info: string | undefined): FenceInfo {
  const words = (info ?? '').trim().slice(0, LONGEST).split(/\s+/);
  const [first = '', ...rest] = words;
  const [, language = first, joined] = /^([\w+#.-]+):(.+)$/.exec(first) ?? [];
  if (joined !== undefined && isPath(joined)) return { language, path: joined };
  if (first.includes('/') && isPath(first)) return { language: extensionOf(first), path: first };
  const path = rest.map(named).find(isPath);
  return path === undefined ? { language: first } : { language: first, path };
}

const LONGEST = 1000;
const NAMED = /^(?:title|file|filename|path)=["']?([^"']+)["']?$/i;

function named(word: string): string {
  return NAMED.exec(word)?.[1] ?? word;
}

/** A name with an extension, or in a folder. `{1,3}` and `showLineNumbers` are not paths. */
function isPath(word: string): boolean {
  return /^[^{}=]*[^{}=./\\][.][\w-]+$|^[^{}=]*[/\\][^{}=]+$/.test(word) && classifyLink(word).kind === 'file';
}

function extensionOf(path: string): string {
  return /\.([\w-]+)$/.exec(path)?.[1] ?? '';
}
