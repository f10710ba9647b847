import { startLoops } from './loops.ts';
import type { Comparison } from './processes.ts';
import { median, milliseconds } from './statistics.ts';

export interface TurnPlan {
  /** How many turns lie behind the first. */
  readonly past: number;
  readonly warmUp: number;
  readonly turns: number;
}

/** What a turn costs the two loops, turn about so that a busy moment of the machine hits both. */
export async function measureTurns({ past, warmUp, turns }: TurnPlan): Promise<Comparison> {
  const loops = await startLoops();
  try {
    await loops.fill(past);
    const bareTimes: number[] = [];
    const gantryTimes: number[] = [];
    for (let turn = 0; turn < warmUp + turns; turn++) {
      const bare = await milliseconds(loops.bareTurn);
      const gantry = await milliseconds(loops.gantryTurn);
      if (turn >= warmUp) {
        bareTimes.push(bare);
        gantryTimes.push(gantry);
      }
    }
    return { bare: median(bareTimes), Gantry: median(gantryTimes) };
  } finally {
    await loops.dispose();
  }
}
