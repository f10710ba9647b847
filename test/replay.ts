import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { print } from './support/output.ts';
import { type Replayed, replayRecording } from './support/replayed-recording.ts';

/**
 * Plays every recorded conversation of a folder through the command line: npm run replay -- FOLDER [TEXT]
 * A recording is NAME.responses, one answer of a model per line, as Gemini CLI's integration tests have them. What belongs
 * to it is in NAME.json, where there is one: the arguments, the files of the folder, the user's settings, and why it may
 * end otherwise than with everything asked for (test/support/replayed-recording.ts).
 */
async function main(): Promise<number> {
  const [folder = '', text = ''] = process.argv.slice(2);
  if (folder === '' || !existsSync(folder)) {
    print('npm run replay -- FOLDER [TEXT]: plays the *.responses in FOLDER whose names have TEXT in them');
    return 1;
  }
  const names = (await readdir(resolve(folder))).filter((name) => name.endsWith('.responses') && name.includes(text));
  const width = Math.max(0, ...names.map((name) => name.length - '.responses'.length));
  const counts = { passes: 0, differs: 0, fails: 0 };
  print(`${'recording'.padEnd(width)}  outcome  exit  used  left  first problem`);
  for (const name of names.sort()) {
    const replayed = await replayRecording(join(resolve(folder), name));
    counts[replayed.outcome]++;
    print(row(name.replace(/\.responses$/, '').padEnd(width), replayed));
  }
  print(
    `\n${names.length} recordings: ${counts.passes} pass, ${counts.differs} differ for a reason, ${counts.fails} fail`,
  );
  return counts.fails === 0 ? 0 : 1;
}

function row(name: string, { outcome, code, used, left, problem }: Replayed): string {
  const cells = [outcome.padEnd(7), String(code).padStart(4), String(used).padStart(4), String(left).padStart(4)];
  return [name, ...cells, problem].join('  ').trimEnd();
}

process.exitCode = await main();
