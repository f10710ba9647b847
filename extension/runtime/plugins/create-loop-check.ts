import { LoopCheck } from '../../context/loops/loop-check.ts';
import type { UtilityModel } from '../../model/utility-model.ts';

/** One more attempt than none: the next check comes soon enough. */
const ATTEMPTS = 2;

/** `isAvailable` says whether the model behind an alias can be asked at this moment. */
export function createLoopCheck(
  utility: UtilityModel,
  isAvailable: (alias: string) => boolean = () => true,
): LoopCheck {
  return new LoopCheck({
    isAvailable,
    ask: (alias, question, signal) =>
      utility.json({ alias, purpose: 'Looking for loops', attempts: ATTEMPTS, ...question }, signal),
  });
}
