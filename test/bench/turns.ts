import { startLoops } from './loops.ts';
import { median, milliseconds } from './statistics.ts';

export interface TurnCost {
  readonly sdkMs: number;
  readonly gantryMs: number;
  readonly ratio: number;
}

export interface TurnPlan {
  /** How many turns lie behind the first. */
  readonly past: number;
  readonly warmUp: number;
  readonly turns: number;
}

/** What a turn costs the two loops, turn about so that a busy moment of the machine hits both. */
export async function measureTurns({ past, warmUp, turns }: TurnPlan): Promise<TurnCost> {
  const loops = await startLoops();
  try {
    await loops.fill(past);
    const sdkTimes: number[] = [];
    const gantryTimes: number[] = [];
    for (let turn = 0; turn < warmUp + turns; turn++) {
      const bare = await milliseconds(loops.bareTurn);
      const gantry = await milliseconds(loops.gantryTurn);
      if (turn >= warmUp) {
        sdkTimes.push(bare);
        gantryTimes.push(gantry);
      }
    }
    const [sdkMs, gantryMs] = [median(sdkTimes), median(gantryTimes)];
    return { sdkMs, gantryMs, ratio: gantryMs / sdkMs };
  } finally {
    await loops.dispose();
  }
}
