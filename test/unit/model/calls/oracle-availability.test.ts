import assert from 'node:assert/strict';
import { ModelAvailabilityService } from '@google/gemini-cli-core/dist/src/availability/modelAvailabilityService.js';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ModelAvailability } from '../../../../extension/model/calls/model-availability.ts';

const MODELS = ['pro', 'flash', 'models/flash', 'lite'] as const;
const model = fc.constantFrom(...MODELS);

type Step =
  | { readonly act: 'terminal'; readonly model: string; readonly reason: 'quota' | 'capacity' }
  | { readonly act: 'sticky'; readonly model: string; readonly attempts: number }
  | { readonly act: 'healthy' | 'consume'; readonly model: string }
  | { readonly act: 'resetTurn' | 'reset' }
  | { readonly act: 'later'; readonly ms: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    act: fc.constant('terminal' as const),
    model,
    reason: fc.constantFrom('quota' as const, 'capacity' as const),
  }),
  fc.record({ act: fc.constant('sticky' as const), model, attempts: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ act: fc.constantFrom('healthy' as const, 'consume' as const), model }),
  fc.record({ act: fc.constantFrom('resetTurn' as const, 'reset' as const) }),
  fc.record({ act: fc.constant('later' as const), ms: fc.constantFrom(1, 29_999, 30_000, 30_001) }),
);

/** No differences but one of form: an id is given back as it was asked for, and not without its `models/`. */
describe('Which models are available', () => {
  it('changes as in Gemini CLI, whatever happens to them', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 30 }), (happened) => {
        let now = 1_000_000;
        const realNow = Date.now;
        Date.now = () => now;
        try {
          const ours = new ModelAvailability(() => now);
          const theirs = new ModelAvailabilityService();
          for (const step of happened) {
            if (step.act === 'later') now += step.ms;
            else take(ours, theirs, step);
            for (const name of MODELS) {
              assert.equal(ours.isAvailable(name), theirs.snapshot(name).available, name);
              assert.equal(ours.unavailability(name), theirs.snapshot(name).reason, name);
            }
            const { selectedModel, attempts, skipped } = theirs.selectFirstAvailable([...MODELS]);
            const selected = ours.selectFirstAvailable([...MODELS]);
            assert.equal(selected.selected?.replace('models/', ''), selectedModel ?? undefined);
            assert.equal(selected.attempts, attempts);
            assert.deepEqual(
              selected.skipped.map(({ model: name, reason }) => [name.replace('models/', ''), reason]),
              skipped.map(({ model: name, reason }: { model: string; reason: string }) => [name, reason]),
            );
          }
        } finally {
          Date.now = realNow;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

function take(ours: ModelAvailability, theirs: ModelAvailabilityService, step: Exclude<Step, { act: 'later' }>): void {
  switch (step.act) {
    case 'terminal':
      ours.markTerminal(step.model, step.reason);
      theirs.markTerminal(step.model, step.reason);
      return;
    case 'sticky':
      ours.markRetryOncePerTurn(step.model, step.attempts);
      theirs.markRetryOncePerTurn(step.model, step.attempts);
      return;
    case 'healthy':
      ours.markHealthy(step.model);
      theirs.markHealthy(step.model);
      return;
    case 'consume':
      ours.consumeStickyAttempt(step.model);
      theirs.consumeStickyAttempt(step.model);
      return;
    case 'resetTurn':
      ours.resetTurn();
      theirs.resetTurn();
      return;
    case 'reset':
      ours.reset();
      theirs.reset();
  }
}
