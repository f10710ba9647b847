import { withoutInvisible } from '../../tools/shell/visible-text.ts';

/** Reports that the model repeats itself. */
export interface Loop {
  /** How the loop was found: in the calls, in the text, or by asking a model. */
  readonly kind: 'calls' | 'words' | 'check';
  /** The repeated text or calls, in one line. */
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

/** A model wrote the text, and people read it in a note. */
function oneLine(text: string): string {
  const line = withoutInvisible(text).text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_DETAIL ? line : `${line.slice(0, LONGEST_DETAIL).replace(/[\ud800-\udbff]$/, '')}…`;
}
