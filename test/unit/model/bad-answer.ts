import assert from 'node:assert/strict';
import { it } from 'mocha';
import type { GeminiEndpoint as Target } from '../../../extension/model/http/gemini-generator.ts';
import type { ProblemKind } from '../../../extension/protocol/agent/problem.ts';
import type { Piece } from '../../support/gemini/script.ts';
import type { GeminiEndpoint } from '../../support/gemini/server.ts';
import { ask, KEY, logged, problemIn, WAYS } from './asking.ts';

export interface BadAnswer {
  readonly what: string;
  readonly reply: Piece;
  readonly kind: ProblemKind;
  /** Title and detail, as the user reads them. */
  readonly says: RegExp;
  readonly target?: Target;
  /** What had been shown before. */
  readonly arrived?: string;
}

export function itTells(cases: readonly BadAnswer[], endpoint: () => GeminiEndpoint): void {
  for (const { way, generatorAt } of WAYS) {
    for (const { what, reply, kind, says, target, arrived = '' } of cases) {
      it(`${what}, ${way}`, async () => {
        endpoint().reply(reply);
        const { text, error } = await ask(generatorAt(endpoint().url, target));
        const problem = problemIn(error);
        assert.equal(problem.kind, kind, problem.detail);
        assert.match(`${problem.title} · ${problem.detail}`, says);
        assert.equal(text, arrived);
        assert.ok(problem.actions.length > 0);
        assert.equal(endpoint().requests.length, 1, 'no retries');
        assert.ok(!logged(error).includes(KEY.value));
      });
    }
  }
}
