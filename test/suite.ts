import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { print } from './support/output.ts';
import { describeError, lineReporter, runMocha } from './support/reporter.ts';

/**
 * Runs test files with mocha in a process of their own and sends the counts to the process that forked it:
 * node out/test/suite.mjs --timeout 10000 [--grep text] files…
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { timeout: { type: 'string', default: '10000' }, grep: { type: 'string' } },
    allowPositionals: true,
  });
  const mocha = new Mocha({
    timeout: Number(values.timeout),
    reporter: lineReporter(print),
    forbidOnly: true,
    ...(values.grep === undefined ? {} : { grep: values.grep }),
  });
  for (const file of positionals) {
    mocha.addFile(file);
  }
  await mocha.loadFilesAsync();
  const counts = await runMocha(mocha);
  await new Promise<void>((resolve) => {
    if (process.send === undefined) {
      resolve();
    } else {
      process.send(counts, () => resolve());
    }
  });
  // A test that leaves a timer or socket behind must not keep the run waiting.
  process.exit(counts.failed > 0 ? 1 : 0);
}

main().catch((error: unknown) => {
  print(describeError(error));
  process.exit(2);
});
