import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resultsDir } from './repo.ts';
import type { VsCodeServer } from './vscode/server.ts';
import type { Workbench } from './workbench.ts';

interface FailedTest {
  fullTitle(): string;
  readonly err?: Error | undefined;
}

/** Saves what is needed to understand a failed test in one folder: screenshots and logs. */
export async function keepEvidence(
  test: FailedTest,
  server: VsCodeServer,
  workbenches: readonly Workbench[],
  since: Date,
): Promise<string> {
  const folder = join(resultsDir, `${folderName(test.fullTitle())}.${server.release}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const parts = [
    writeFile(join(folder, 'error.txt'), describe(test.err)),
    writeFile(join(folder, 'extension.log'), await server.extensionLog(since)),
    writeFile(join(folder, 'extension-host.log'), await server.extensionHostLog(since)),
    ...workbenches.flatMap((workbench, index) => [
      workbench.screenshotTo(join(folder, `window-${index + 1}.png`)),
      writeFile(join(folder, `console-${index + 1}.log`), workbench.console().join('\n')),
    ]),
  ];
  // A crashed page can't be captured, but its logs can still be saved.
  const outcomes = await Promise.allSettled(parts);
  const missing = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => String(outcome.reason));
  if (missing.length > 0) {
    await writeFile(join(folder, 'missing.txt'), missing.join('\n'));
  }
  return folder;
}

export function folderName(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
}

function describe(error: Error | undefined): string {
  if (error === undefined) {
    return 'No error was recorded.';
  }
  const cause = error.cause instanceof Error ? `\nCaused by: ${describe(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
