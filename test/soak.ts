import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type KillCounts, killedConversation, noKills } from './support/crash/killed-conversation.ts';
import { seededRandom } from './support/crash/random.ts';
import { print, seconds } from './support/output.ts';
import { describeError } from './support/reporter.ts';

/** Kills a conversation at random points, over and over: npm run soak -- [--kills 300] [--seed 1] */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
  const wanted = Number(values.kills ?? process.env['GANTRY_SOAK_KILLS'] ?? 300);
  const seed = Number(values.seed ?? process.env['GANTRY_SOAK_SEED'] ?? Date.now() % 1_000_000);
  const start = Date.now();
  const expected = await killedConversation(0, seededRandom(seed), noKills());
  const counts = noKills();
  let failures = 0;
  for (let round = 1; counts.kills < wanted; round++) {
    try {
      const reached = await killedConversation(wanted - counts.kills, seededRandom(seed + round), counts);
      if (!isDeepStrictEqual(reached, expected))
        throw new Error(`It ended otherwise: ${JSON.stringify(reached.files)}`);
    } catch (error) {
      failures++;
      print(`Round ${round} (seed ${seed + round}): ${describeError(error)}`);
      if (failures >= MAX_FAILURES) break;
    }
  }
  summarize(counts, seed, failures, Date.now() - start);
  return failures === 0 && counts.kills >= wanted ? 0 : 1;
}

/** By then there is enough to look at. */
const MAX_FAILURES = 10;

function summarize(counts: KillCounts, seed: number, failures: number, milliseconds: number): void {
  print(`seed ${seed}, ${seconds(milliseconds)}`);
  print(`${counts.kills} kills in ${counts.conversations} conversations that came to their end, ${failures} failures`);
  print(`${counts.acknowledged} events were told, none of them lost in the conversations that came to their end`);
  print(
    `${counts.tornLines} torn lines, ${counts.unknownEffects} effects unknown, ${counts.interruptions} runs cut off`,
  );
  print('the log ended with:');
  const rows = [...counts.endedWith].sort(([, a], [, b]) => b - a);
  for (const [type, count] of rows) print(`  ${String(count).padStart(5)}  ${type}`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    print(describeError(error));
    process.exit(2);
  },
);
