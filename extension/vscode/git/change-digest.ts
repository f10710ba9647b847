/** A changed file, as shown to a model. */
export interface ChangedFile {
  /** The path relative to the repository, with forward slashes. */
  readonly path: string;
  /** The kind of change. */
  readonly what: 'changed' | 'added' | 'deleted' | 'renamed';
  readonly content:
    | { readonly kind: 'diff'; readonly text: string }
    | { readonly kind: 'left-out'; readonly why: LeftOut };
}

export type LeftOut = 'secret' | 'binary' | 'too-many' | 'unreadable';

export interface DigestLimits {
  readonly total: number;
  readonly perFile: number;
}

/** About 40,000 tokens in total. A file that exceeds its limit is usually generated. */
export const DIGEST_LIMITS: DigestLimits = { total: 160_000, perFile: 40_000 };

const WHY: Readonly<Record<LeftOut, string>> = {
  secret: 'its name says that it may hold secrets, so its content is left out',
  binary: 'binary, so its content is left out',
  'too-many': 'left out, because there are too many files',
  unreadable: 'its content could not be read',
};

/** Lists every file by name, with as much of its diff as fits. States how much was cut. */
export function digestOf(files: readonly ChangedFile[], limits = DIGEST_LIMITS): string {
  let room = limits.total;
  const texts = files.map(({ path, what, content }) => {
    const heading = `### ${what}: ${oneLine(path)}`;
    if (content.kind === 'left-out') return `${heading}\n(${WHY[content.why]})`;
    const text = cutAtLine(content.text.trimEnd(), Math.min(room, limits.perFile));
    room -= text.length;
    return `${heading}\n${text}`;
  });
  return texts.join('\n\n');
}

/** Whether Git reports a binary file, or the diff contains a NUL character. */
export function isBinaryDiff(diff: string): boolean {
  return diff.includes('\0') || /^(?:Binary files .* differ|GIT binary patch)$/m.test(diff);
}

/** Formats an untracked file as a diff. */
export function diffOfNew(text: string): string {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
}

function cutAtLine(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, Math.max(0, text.lastIndexOf('\n', length)));
  const lines = Math.max(1, text.slice(kept.length).split('\n').length - 1);
  return `${kept}\n(cut here: ${lines} more ${lines === 1 ? 'line' : 'lines'})`.trimStart();
}

function oneLine(path: string): string {
  return path.replace(/\p{C}+/gu, '?');
}
