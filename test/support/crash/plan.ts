/** The actions of the user in the conversation that is killed repeatedly. */
export type Chapter =
  | { readonly kind: 'task'; readonly number: number; readonly steered: boolean }
  /** Rewinds the conversation and files to before the task. */
  | { readonly kind: 'rewind'; readonly number: number; readonly undone: boolean };

export const CHAPTERS: readonly Chapter[] = [
  { kind: 'task', number: 1, steered: false },
  { kind: 'task', number: 2, steered: true },
  { kind: 'rewind', number: 2, undone: true },
  { kind: 'task', number: 3, steered: false },
  { kind: 'rewind', number: 3, undone: false },
  { kind: 'task', number: 4, steered: true },
  { kind: 'task', number: 5, steered: false },
];

export interface Operation {
  readonly name: 'look' | 'write';
  readonly args: { readonly file: string; readonly content?: string };
}

export const taskText = (number: number): string => `task ${number}`;
export const extraText = (number: number): string => `extra ${number}`;

/** The model's calls for a task, in consecutive rounds. */
export function roundsOf(number: number, extra: boolean): readonly (readonly Operation[])[] {
  const rounds: readonly Operation[][] = [
    [look(`${number}a.txt`), look('shared.txt')],
    [write(`${number}a.txt`, `a of ${number}`), write('shared.txt', `shared, by ${number}`)],
  ];
  return extra ? [...rounds, [write(`${number}extra.txt`, `extra of ${number}`)]] : rounds;
}

export function prefaceOf(number: number): string {
  return `Working on task ${number}. `;
}

/** The model's text for a task. Two tasks have a report that takes many pages of a file. */
export function wordsOf(number: number): string {
  // Numbered, because repeated words would be detected as a loop.
  const lines = Array.from({ length: number % 2 === 0 ? 8000 : 10 }, (_, line) => `line ${line} of report ${number}\n`);
  return `${prefaceOf(number)}Report:\n${lines.join('')}${closingMark(number)}`;
}

export function closingMark(number: number): string {
  return `[end of ${number}]`;
}

function look(file: string): Operation {
  return { name: 'look', args: { file } };
}

function write(file: string, content: string): Operation {
  return { name: 'write', args: { file, content } };
}
