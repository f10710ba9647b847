import { systemInstruction } from '../context/system-instruction.ts';
import type { Subagent } from './agents/subagent.ts';
import type { Clock } from './host.ts';
import type { SessionMode } from './session-mode.ts';
import type { SessionModel } from './session-model.ts';

export interface InstructionParts {
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly clock: Clock;
  readonly subagent: Subagent | undefined;
}

/** What the model of one session is told before the conversation. */
export function sessionInstruction({ mode, model, clock, subagent }: InstructionParts): string {
  const main = (): string => systemInstruction(mode.opened, mode);
  if (!subagent) return main();
  const values = { today: new Date(clock.now()).toDateString(), activeModel: model.current };
  return subagent.instruction({ main, roots: mode.opened.roots(), mode: mode.mode(), values });
}
