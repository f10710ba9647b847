import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { inWindow } from './bench-window.ts';
import { CONVERSATION_FILES, type Conversation, conversationsIn, OWN_PROGRAMS } from './conversation.ts';
import type { Figures } from './measurement.ts';
import { seen, watchFor } from './window-probes.ts';

const FOLDERS = 400;
const FILES_PER_FOLDER = 500;
const SMALL = 'few files';
const LARGE = '200,000 files';

/** Milliseconds from `@` to the first list of files on the screen, each in a window whose input has just got the focus. */
export async function measureFirstMentions(): Promise<Figures> {
  return inWorkspaces(async (workspaces) => {
    const figures: Record<string, number> = {};
    for (const [name, { path }] of workspaces) figures[name] = await inWindow(path, firstMentions);
    return figures;
  });
}

async function firstMentions({ workbench, chat }: Parameters<Parameters<typeof inWindow>[1]>[0]): Promise<number> {
  const frame = await workbench.chatFrame();
  await frame.evaluate(watchFor, { key: '@', selector: '[role=option]', text: '' });
  await chat.input.press('@');
  const { pressed, painted } = await eventually('the list of files', () => frame.evaluate(seen));
  return painted - pressed;
}

/** What a start and a call of the command line take there, in ms. */
export async function measureCallsInLarge(): Promise<(key: keyof Conversation) => Figures> {
  return inWorkspaces(async (workspaces) => {
    const [commandLine] = OWN_PROGRAMS.filter(({ name }) => name === 'command line');
    if (!commandLine) throw new Error('There is no command line to measure.');
    const runs = workspaces.map(([name, { path }]) => ({ program: { ...commandLine, name }, workspace: path }));
    const results = await conversationsIn(runs);
    return (key) =>
      Object.fromEntries(
        [...results].map(([name, result]) => {
          if (typeof result === 'string') throw new Error(result);
          return [name, result[key]];
        }),
      );
  });
}

async function inWorkspaces<T>(work: (workspaces: readonly [string, TempWorkspace][]) => Promise<T>): Promise<T> {
  const small = await createTempWorkspace(CONVERSATION_FILES);
  const large = await createTempWorkspace(CONVERSATION_FILES);
  try {
    for (let folder = 0; folder < FOLDERS; folder++) await fill(join(large.path, `packages/part-${folder}/src`));
    return await work([
      [SMALL, small],
      [LARGE, large],
    ]);
  } finally {
    await small.dispose();
    await large.dispose();
  }
}

async function fill(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = Array.from({ length: FILES_PER_FOLDER }, (_, at) => `card-${at}.ts`);
  await Promise.all(names.map((name) => writeFile(join(folder, name), '')));
}
