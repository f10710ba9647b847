import { print } from '../support/output.ts';
import { measureActivation } from './activation.ts';
import { bundleSizes } from './sizes.ts';
import { measureTurns } from './turns.ts';

print('Bundles (production)');
for (const { name, bytes, gzipBytes } of bundleSizes()) {
  print(`  ${name.padEnd(24)} ${kilobytes(bytes)} kB  ${kilobytes(gzipBytes)} kB gzip`);
}

print('\nA turn: two requests with a file read between them, an answer in 100 chunks (median of 60)');
const { sdkMs, gantryMs, ratio } = await measureTurns();
print(`  bare @google/genai loop  ${sdkMs.toFixed(1).padStart(8)} ms`);
print(`  Gantry                   ${gantryMs.toFixed(1).padStart(8)} ms`);
print(`  ratio                    ${ratio.toFixed(2).padStart(8)}`);

print('\nActivation in the extension host, as VS Code measured it (median of 5 windows; budget 50 ms)');
print(`  activate()               ${(await measureActivation()).toFixed(0).padStart(8)} ms`);
process.exit(0);

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(8);
}
