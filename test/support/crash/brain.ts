import type { Content, Part } from '@google/genai';
import type { RecordedRequest } from '../gemini/request.ts';
import { call, type Piece, stream, thought } from '../gemini/script.ts';
import { extraText, type Operation, prefaceOf, roundsOf, wordsOf } from './plan.ts';

interface Said {
  readonly byModel: boolean;
  readonly part: Part;
}

/** A model that decides by the history alone, so that a conversation can be continued at any point. */
export function brain({ contents }: RecordedRequest): Piece {
  const said = contents.flatMap(partsOf);
  const at = said.findLastIndex(({ byModel, part }) => !byModel && taskOf(part) !== undefined);
  const number = taskOf(said[at]?.part ?? {});
  if (number === undefined) throw new Error('The history has no task in it.');
  return nextStep(number, said.slice(at + 1));
}

function nextStep(number: number, since: readonly Said[]): Piece {
  const words = since.map(({ byModel, part }) => (byModel && !part.thought ? (part.text ?? '') : '')).join('');
  const all = wordsOf(number);
  if (!all.startsWith(words)) throw new Error(`Task ${number}: "${words.slice(-80)}" is not what was said.`);
  const answers = answersIn(since);
  const extra = since.some(({ byModel, part }) => !byModel && part.text === extraText(number));
  for (const round of roundsOf(number, extra)) {
    const open = round.filter((operation) => !isDone(operation, answers));
    if (open.length === 0) continue;
    const preface = stream(...chunks(prefaceOf(number).slice(words.length), 8));
    return [thought('What is next?'), preface, ...open.map((operation) => callFor(operation, answers))];
  }
  const rest = all.slice(words.length);
  if (rest === '') throw new Error(`Task ${number} has been finished already.`);
  return stream(...chunks(rest, Math.max(60, Math.ceil(rest.length / 4))));
}

interface Answer {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  readonly error: unknown;
}

function isDone({ name, args }: Operation, answers: readonly Answer[]): boolean {
  const own = answers.filter((answer) => answer.name === name && answer.args['file'] === args.file);
  if (own.some(({ error }) => error === undefined)) return true;
  return mayHaveHappened(own.at(-1)) && answers.some((answer) => foundWritten(answer, args));
}

/** If the effect of a write is unknown, the model checks the file first. */
function callFor({ name, args }: Operation, answers: readonly Answer[]): Piece {
  const last = answers.findLast((answer) => answer.name === name && answer.args['file'] === args.file);
  const looked = answers.findLast((answer) => answer.name === 'check' && answer.args['file'] === args.file);
  const lookFirst = mayHaveHappened(last) && (!looked || answers.indexOf(looked) < answers.indexOf(last as Answer));
  return lookFirst ? call('check', { file: args.file }) : call(name, { ...args });
}

function mayHaveHappened(answer: Answer | undefined): boolean {
  return typeof answer?.error === 'string' && answer.error.includes('not known');
}

function foundWritten({ name, args, output }: Answer, expected: Operation['args']): boolean {
  return name === 'check' && args['file'] === expected.file && output === expected.content;
}

function answersIn(since: readonly Said[]): Answer[] {
  const responses = since.flatMap(({ part }) => part.functionResponse ?? []);
  return since
    .flatMap(({ part }) => part.functionCall ?? [])
    .flatMap(({ id, name = '', args = {} }, index) => {
      const response = id === undefined ? responses[index] : responses.find((other) => other.id === id);
      if (!response) return [];
      return [{ name, args, output: response.response?.['output'], error: response.response?.['error'] }];
    });
}

function partsOf({ role, parts = [] }: Content): Said[] {
  return parts.map((part) => ({ byModel: role === 'model', part }));
}

function taskOf({ text = '' }: Part): number | undefined {
  const found = /^task (\d+)$/.exec(text);
  return found ? Number(found[1]) : undefined;
}

function chunks(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}
