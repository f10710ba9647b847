import type { Content } from '@google/genai';
import type { RecordedRequest } from '../gemini/request.ts';
import { call, type Piece, stream } from '../gemini/script.ts';
import { invoke } from '../subagents.ts';

/** Who works on a job: who got it, whom that one asked for help, and whom the helper asked back. */
export type Role = 'lead' | 'help' | 'back';

type Step = { readonly mark: string } | { readonly hand: string };

/** What the model does for its part of a job, one call after the other. */
function stepsOf(number: number, role: Role): readonly Step[] {
  const mark = (at: string): Step => ({ mark: `${number}-${role}-${at}` });
  if (role === 'back') return [mark('only')];
  return [mark('before'), { hand: jobText(number, role === 'lead' ? 'help' : 'back') }, mark('after')];
}

export const jobText = (number: number, role: Role): string => `job ${number} ${role}`;
export const reportOf = (number: number, role: Role): string => `The part ${role} of job ${number} is done.`;

/** Appends a line, so that it shows if it ran twice. */
export const markCommand = (mark: string): string => `echo ${mark} >> marks.txt`;
export const markIn = (command: string): string | undefined => /^echo (\S+) >> marks\.txt$/.exec(command)?.[1];

/** A model that decides by the history alone. It makes each call once, whatever has become of it. */
export function jobModel({ contents }: RecordedRequest): Piece {
  const parts = contents.flatMap(({ role, parts: all = [] }: Content) => all.map((part) => ({ role, part })));
  const at = parts.findLastIndex(({ part }) => /^job \d+ \w+$/.test(part.text ?? ''));
  const [, number = '', role = ''] = parts[at]?.part.text?.split(' ') ?? [];
  if (at < 0) throw new Error('The history has no job in it.');
  const since = parts.slice(at + 1).filter((each) => each.role === 'model');
  const made = since.filter(({ part }) => part.functionCall).length;
  const step = stepsOf(Number(number), role as Role)[made];
  if (step)
    return 'mark' in step ? call('run_shell_command', { command: markCommand(step.mark) }) : invoke('far', step.hand);
  const said = since.map(({ part }) => part.text ?? '').join('');
  const rest = reportOf(Number(number), role as Role).slice(said.length);
  const words = rest.match(/\S+\s*/g);
  return words ? stream(...words) : 'Nothing is left.';
}
