import type { Clock } from '../../ports/clock.ts';
import type { Subagent } from '../agents/subagent.ts';
import type { SessionModel } from '../model/session-model.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import type { SessionKnowledge } from './session-knowledge.ts';

export interface InstructionParts {
  readonly knowledge: Pick<SessionKnowledge, 'instruction'>;
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly clock: Clock;
  readonly subagent: Subagent | undefined;
}

/** What the model of one session is told before the conversation. */
export interface SessionInstruction {
  /** For the next request: looks at what changed on disk. */
  next(): Promise<string>;
  /** As of the last request, in the mode of now. */
  current(): string;
}

export function sessionInstruction({ knowledge, mode, model, clock, subagent }: InstructionParts): SessionInstruction {
  const { instruction } = knowledge;
  if (!subagent) return instruction;
  const told = (main: string): string => {
    const values = { today: new Date(clock.now()).toDateString(), activeModel: model.current };
    return subagent.instruction({ main, roots: mode.opened.roots(), mode: mode.mode(), values });
  };
  return { next: async () => told(await instruction.next()), current: () => told(instruction.current()) };
}
