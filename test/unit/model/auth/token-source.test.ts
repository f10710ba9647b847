import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type AccessToken, SharedTokens } from '../../../../extension/model/auth/token-source.ts';
import { type Problem, ProblemError } from '../../../../extension/protocol/agent/problem.ts';

const MINUTE = 60_000;
const never = new AbortController().signal;

/** Tokens that last an hour on a clock that the test sets. */
class Tokens {
  now = 0;
  fetched = 0;
  failure: Problem | undefined;
  private readonly waiting: (() => void)[] = [];
  private isHeld = false;
  readonly source = new SharedTokens({ obtain: () => this.obtain() }, { now: () => this.now });

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    for (const go of this.waiting.splice(0)) go();
  }

  value(): Promise<string> {
    return this.source.current(never).then(({ value }) => value);
  }

  private async obtain(): Promise<AccessToken> {
    this.fetched += 1;
    const value = `token-${this.fetched}`;
    if (this.isHeld) await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.failure) throw new ProblemError(this.failure);
    return { value, expiresAt: this.now + 60 * MINUTE };
  }
}

const problem = (kind: Problem['kind']): Problem => ({ kind, title: '', detail: '', actions: [] });

describe('tokens for requests', () => {
  it('are kept as long as they last, and renewed five minutes early', async () => {
    const tokens = new Tokens();
    assert.equal(await tokens.value(), 'token-1');
    tokens.now = 54 * MINUTE;
    assert.equal(await tokens.value(), 'token-1');
    tokens.now = 55 * MINUTE;
    assert.equal(await tokens.value(), 'token-2');
  });

  it('are asked for once, however many requests wait', async () => {
    const tokens = new Tokens();
    tokens.hold();
    const waiting = [tokens.value(), tokens.value(), tokens.value()];
    await Promise.resolve();
    tokens.release();
    assert.deepEqual(await Promise.all(waiting), ['token-1', 'token-1', 'token-1']);
    assert.equal(tokens.fetched, 1);
  });

  it('are renewed once when several requests were refused with the same one', async () => {
    const tokens = new Tokens();
    const refused = await tokens.source.current(never);
    const [first, second] = await Promise.all([
      tokens.source.renewed(refused, never),
      tokens.source.renewed(refused, never),
    ]);
    const third = await tokens.source.renewed(refused, never);
    assert.deepEqual(
      [first, second, third].map(({ value }) => value),
      ['token-2', 'token-2', 'token-2'],
    );
  });

  it('keep nobody waiting who has left, and others get theirs', async () => {
    const tokens = new Tokens();
    tokens.hold();
    const leaving = new AbortController();
    const left = tokens.source.current(leaving.signal);
    const stays = tokens.value();
    const reason = new Error('stopped');
    leaving.abort(reason);
    await assert.rejects(left, reason);
    tokens.release();
    assert.equal(await stays, 'token-1');
    assert.equal(tokens.fetched, 1);
  });

  it('are used to their end while no other can be had', async () => {
    const tokens = new Tokens();
    await tokens.value();
    tokens.failure = problem('unreachable');
    tokens.now = 58 * MINUTE;
    assert.equal(await tokens.value(), 'token-1');
    tokens.now = 61 * MINUTE;
    await assert.rejects(tokens.value(), (error) => ProblemError.is(error, 'unreachable'));
    tokens.failure = undefined;
    assert.equal(await tokens.value(), 'token-4');
  });

  it('are not used any more after the sign-in was withdrawn', async () => {
    const tokens = new Tokens();
    await tokens.value();
    tokens.failure = problem('bad-credential');
    tokens.now = 58 * MINUTE;
    await assert.rejects(tokens.value(), (error) => ProblemError.is(error, 'bad-credential'));
  });

  it('are secrets', async () => {
    const tokens = new Tokens();
    assert.deepEqual(tokens.source.secrets(), []);
    await tokens.value();
    assert.deepEqual(tokens.source.secrets(), ['token-1']);
  });
});
