import { withoutInvisible } from '../../tools/shell/visible-text.ts';

/** The model goes in circles. */
export interface Loop {
  /** Found in its calls, in its words, or by a model that was asked. */
  readonly kind: 'calls' | 'words' | 'check';
  /** What is repeated, in one line. */
  readonly detail: string;
}

const LONGEST_DETAIL = 300;

export function callLoop(name: string, args: Readonly<Record<string, unknown>>): Loop {
  return { kind: 'calls', detail: oneLine(`${name} ${JSON.stringify(args)}`) };
}

export function wordsLoop(sample: string): Loop {
  return { kind: 'words', detail: `“${oneLine(sample)}”` };
}

export function checkedLoop(analysis: string): Loop {
  return { kind: 'check', detail: oneLine(analysis) || 'its last steps led nowhere' };
}

/** Models wrote it, and people read it in a note. */
function oneLine(text: string): string {
  const line = withoutInvisible(text).text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_DETAIL ? line : `${line.slice(0, LONGEST_DETAIL).replace(/[\ud800-\udbff]$/, '')}…`;
}
