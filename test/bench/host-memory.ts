import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { inPlainWindow, inWindow } from './bench-window.ts';
import type { Figures } from './measurement.ts';
import { childrenOf, residentMegabytes } from './peak-memory.ts';

const TURNS = 100;
/** After that, the host has done what a window makes it do at first. */
const SETTLED_MS = 5000;

/** The memory of the extension host in MB: after 100 turns with Gantry, and in the same window without it. */
export async function measureHostMemory(): Promise<Figures | string> {
  if (process.platform !== 'linux') return 'the memory of another process is known on Linux only';
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n' });
  try {
    const without = await inPlainWindow(workspace.path, hostMemory);
    const Gantry = await inWindow(workspace.path, async ({ gemini, chat }) => {
      gemini.always('An answer of some words, as short ones are.');
      for (let turn = 1; turn <= TURNS; turn++) {
        await chat.send('Go');
        await gemini.waitForRequest(turn);
        await chat.finished();
      }
      return hostMemory();
    });
    return { without, Gantry, more: Gantry - without };
  } finally {
    await workspace.dispose();
  }
}

async function hostMemory(): Promise<number> {
  const pid = await eventually('the extension host', () => extensionHostBelow(process.pid), { timeoutMs: 60_000 });
  await delay(SETTLED_MS);
  return residentMegabytes(pid);
}

function extensionHostBelow(pid: number): number | undefined {
  for (const child of childrenOf(pid)) {
    if (readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('--type=extensionHost')) return child;
    const found = extensionHostBelow(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
