import { seenBy, timesBetween } from './conversation.ts';
import { startLoops } from './loops.ts';
import { EVENTS_PER_TURN } from './past-turn.ts';
import { forkModel } from './processes.ts';
import { median } from './statistics.ts';

const STEPS = 40;

export interface StepCost {
  readonly bare: number;
  readonly Gantry: number;
}

/** Milliseconds of a step, which is a request and a file read, in a conversation with so many events. */
export async function measureStep(events: number): Promise<StepCost> {
  const model = await forkModel('model-server', String(STEPS));
  const loops = await startLoops(model);
  const stepOf = async (turn: () => Promise<void>): Promise<number> => {
    await seenBy(model);
    await turn();
    return median(timesBetween((await seenBy(model)).arrivals));
  };
  try {
    await loops.fill(Math.ceil(events / EVENTS_PER_TURN));
    // The first turn of each only warms up.
    await stepOf(loops.bareTurn);
    await stepOf(loops.gantryTurn);
    return { bare: await stepOf(loops.bareTurn), Gantry: await stepOf(loops.gantryTurn) };
  } finally {
    await loops.dispose();
  }
}
