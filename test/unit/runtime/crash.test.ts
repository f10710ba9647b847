import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type FinalState, killedConversation, noKills } from '../../support/crash/killed-conversation.ts';
import { seededRandom } from '../../support/crash/random.ts';

const KILLS = 25;
const SEED = 7;

describe('A conversation whose process is killed', () => {
  it('loses nothing the user saw, and comes to the same end', async function () {
    this.timeout(180_000);
    const counts = noKills();
    const expected = await killedConversation(0, seededRandom(SEED), noKills());
    assert.deepEqual(Object.keys(expected.files), [
      '1a.txt',
      '2a.txt',
      '2extra.txt',
      '4a.txt',
      '4extra.txt',
      '5a.txt',
      'shared.txt',
    ]);
    for (let round = 1; counts.kills < KILLS; round++) {
      const reached: FinalState = await killedConversation(KILLS - counts.kills, seededRandom(SEED + round), counts);
      assert.deepEqual(reached, expected, `Round ${round}`);
    }
    assert.equal(counts.kills, KILLS);
  });
});
