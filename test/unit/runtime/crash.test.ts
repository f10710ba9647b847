import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type KillCounts, killedConversation, noKills } from '../../support/crash/killed-conversation.ts';
import { seededRandom } from '../../support/crash/random.ts';
import { runs } from '../../support/test-size.ts';

/** Kills of each conversation at a time: they mostly wait for the disk, so they do it side by side. */
const LANES: readonly { readonly seed: number; readonly kills: number }[] = [
  { seed: 100, kills: runs(2, 9) },
  { seed: 200, kills: runs(0, 8) },
  { seed: 300, kills: runs(0, 8) },
];

describe('A conversation whose process is killed', () => {
  it('loses nothing the user saw, and comes to the same end', async function () {
    this.timeout(180_000);
    const expected = await killedConversation(0, seededRandom(0), noKills());
    assert.deepEqual(
      Object.keys(expected.files).join(' '),
      '1a.txt 2a.txt 2extra.txt 4a.txt 4extra.txt 5a.txt shared.txt',
    );
    const counts = noKills();
    await Promise.all(LANES.map(({ seed, kills }) => killInTurn(seed, kills, expected, counts)));
    assert.equal(
      counts.kills,
      LANES.reduce((sum, { kills }) => sum + kills, 0),
    );
  });
});

async function killInTurn(seed: number, kills: number, expected: object, total: KillCounts): Promise<void> {
  const counts = noKills();
  for (let round = 0; counts.kills < kills; round++) {
    const reached = await killedConversation(kills - counts.kills, seededRandom(seed + round), counts);
    assert.deepEqual(reached, expected, `Seed ${seed + round}`);
  }
  total.kills += counts.kills;
}
