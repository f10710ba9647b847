import { print } from '../support/output.ts';
import { measureActivation } from './activation.ts';
import { bundleSizes } from './sizes.ts';
import { measureTurns, type TurnPlan } from './turns.ts';

const TURNS: Readonly<Record<string, TurnPlan>> = {
  'from the first': { past: 0, warmUp: 10, turns: 60 },
  'after 10 turns': { past: 10, warmUp: 10, turns: 30 },
  'after 100 turns': { past: 100, warmUp: 10, turns: 30 },
  'after 1,000 turns': { past: 1000, warmUp: 5, turns: 20 },
};

print('Bundles (production)');
for (const { name, bytes, gzipBytes } of bundleSizes()) {
  print(`  ${name.padEnd(24)} ${kilobytes(bytes)} kB  ${kilobytes(gzipBytes)} kB gzip`);
}

print('\nA turn: two requests with a file read between them, an answer in 100 chunks (medians; budget 1.3)');
print(`${'bare @google/genai loop'.padStart(45)}${'Gantry'.padStart(20)}${'ratio'.padStart(9)}`);
for (const [label, plan] of Object.entries(TURNS)) {
  const { sdkMs, gantryMs, ratio } = await measureTurns(plan);
  print(
    `  ${label.padEnd(24)} ${milliseconds(sdkMs)} ms  ${milliseconds(gantryMs)} ms ${ratio.toFixed(2).padStart(8)}`,
  );
}

print('\nActivation in the extension host, as VS Code measured it (median of 5 windows; budget 50 ms)');
print(`  activate()               ${(await measureActivation()).toFixed(0).padStart(8)} ms`);
process.exit(0);

function milliseconds(value: number): string {
  return value.toFixed(1).padStart(15);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(8);
}
