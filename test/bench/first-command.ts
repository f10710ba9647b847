import { setTimeout as delay } from 'node:timers/promises';
import { gate } from '../support/gemini/gate.ts';
import { call, hold } from '../support/gemini/script.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { HeadlessProcess } from '../support/headless.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { MODEL } from './production-runtime.ts';
import { median } from './statistics.ts';

const PROCESSES = 5;
/** Models take at least this long to answer. What is needed next can be loaded meanwhile. */
export const THINKING_MS = 1000;

/** Milliseconds from the model's call to the request with the output of the command, for the first two commands of a process. */
export async function measureFirstCommand(): Promise<{ readonly first: number; readonly next: number }> {
  const runs: (readonly [number, number])[] = [];
  for (let count = 0; count < PROCESSES; count++) runs.push(await twoCommands());
  return { first: median(runs.map(([first]) => first)), next: median(runs.map(([, next]) => next)) };
}

async function twoCommands(): Promise<readonly [number, number]> {
  const gemini = await startGeminiEndpoint();
  const workspace = await createTempWorkspace();
  const commands = ['echo one', 'echo two'].map((command) => ({ command, held: gate() }));
  for (const { command, held } of commands) gemini.reply(hold(held), call('run_shell_command', { command }));
  gemini.reply('Done.');
  const environment = { GOOGLE_GEMINI_BASE_URL: gemini.url, GEMINI_API_KEY: 'test-key' };
  const model = ['--model', MODEL];
  const running = new HeadlessProcess(['-p', 'Go', '--approval-mode', 'yolo', ...model], {
    cwd: workspace.path,
    environment,
  });
  const times: number[] = [];
  try {
    for (const [index, { held }] of commands.entries()) {
      await held.reached;
      await delay(THINKING_MS);
      const called = performance.now();
      held.open();
      times.push((await gemini.waitForRequest(index + 2)).receivedAt - called);
    }
    await running.ended;
  } finally {
    await gemini.dispose();
    await workspace.dispose();
  }
  const [first = Number.NaN, next = Number.NaN] = times;
  return [first, next];
}
