import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { Chat } from './chat.ts';
import { keepEvidence } from './evidence.ts';
import { copySampleWorkspace } from './sample-workspace.ts';
import type { TempFolder } from './temp-folder.ts';
import { createTempWorkspace, type TempWorkspace } from './temp-workspace.ts';
import { releaseFromEnvironment } from './vscode/releases.ts';
import { startVsCode, type VsCodeOptions, type VsCodeServer, type WindowTarget } from './vscode/server.ts';
import { Workbench } from './workbench.ts';

export type BenchOptions = Omit<VsCodeOptions, 'release'> & Partial<Pick<VsCodeOptions, 'release'>>;

export interface Bench {
  /** The suite's VS Code; there once the suite's `before` hooks have run. */
  readonly server: VsCodeServer;
  /**
   * Opens a window with an empty browser profile and the suite's user settings, plus `settings`. It is closed when the
   * test ends.
   */
  open(target?: WindowTarget, settings?: Readonly<Record<string, unknown>>): Promise<Workbench>;
  /**
   * For journeys, which go on in the window of the one before, as users do: with a new session, no editors and only these
   * files. After a test that failed it is a new window.
   */
  goOn(files?: Readonly<Record<string, string>>): Promise<Desk>;
  /** A new folder with these files (path to text), deleted at the end of the suite. */
  folder(files?: Readonly<Record<string, string>>): Promise<string>;
  /** A copy of `test/fixtures/sample-workspace`. */
  sampleWorkspace(): Promise<string>;
}

/** A window with the chat open. */
export interface Desk {
  readonly workbench: Workbench;
  readonly chat: Chat;
  readonly folder: string;
}

/**
 * Call it inside `describe`: one VS Code and one browser for the suite, a fresh window per test that
 * opens one. A failed test leaves
 * screenshots, the extension's log and the console in one folder below `test-results/`.
 *
 * Give a function when the options come from something that an earlier `before` starts, such as the Gemini endpoint.
 *
 * ```ts
 * const bench = useWorkbench(() => ({ trust: 'all', env: { GOOGLE_GEMINI_BASE_URL: gemini.url, GEMINI_API_KEY: 'k' } }));
 * it('answers', async () => {
 *   const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
 * ```
 */
export function useWorkbench(options: BenchOptions | (() => BenchOptions | Promise<BenchOptions>)): Bench {
  let server: VsCodeServer | undefined;
  let browser: Browser | undefined;
  let suiteSettings: Readonly<Record<string, unknown>> = {};
  let testStart = new Date();
  const folders: TempFolder[] = [];
  const contexts: BrowserContext[] = [];
  const workbenches: Workbench[] = [];
  let kept: { readonly context: BrowserContext; readonly workspace: TempWorkspace; readonly desk: Desk } | undefined;

  before(async function () {
    // The first suite on a machine gets VS Code and a browser first.
    this.timeout(10 * 60_000);
    const given = typeof options === 'function' ? await options() : options;
    suiteSettings = given.settings ?? {};
    [server, browser] = await Promise.all([
      startVsCode({ ...given, release: given.release ?? releaseFromEnvironment() }),
      launchBrowser(),
    ]);
  });

  beforeEach(() => {
    testStart = new Date();
  });

  afterEach(async function () {
    this.timeout(30_000);
    if (this.currentTest?.state === 'failed' && server !== undefined) {
      await keepEvidence(this.currentTest, server, workbenches, testStart);
      if (kept !== undefined) contexts.push(kept.context);
      kept = undefined;
    }
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    workbenches.length = 0;
  });

  after(async () => {
    await browser?.close();
    await server?.dispose();
    await Promise.all(folders.splice(0).map((folder) => folder.dispose()));
  });

  const lend = (folder: TempFolder): string => {
    folders.push(folder);
    return folder.path;
  };

  const openWindow = async (
    target: WindowTarget | undefined,
    settings: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly context: BrowserContext; readonly workbench: Workbench }> => {
    if (browser === undefined || server === undefined) {
      throw new Error('Open windows in tests and hooks only.');
    }
    await server.writeUserSettings({ ...suiteSettings, ...settings });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    contexts.push(context);
    const workbench = new Workbench(await context.newPage(), server);
    workbenches.push(workbench);
    await workbench.open(target);
    return { context, workbench };
  };

  return {
    get server() {
      if (server === undefined) {
        throw new Error("The suite's VS Code is not there yet: use it in tests and hooks only.");
      }
      return server;
    },
    async open(target, settings) {
      return (await openWindow(target, settings)).workbench;
    },
    async goOn(files = {}) {
      if (kept !== undefined) {
        workbenches.push(kept.desk.workbench);
        await tidy(kept.desk);
        await kept.workspace.write(files);
        return kept.desk;
      }
      const workspace = await createTempWorkspace(files);
      folders.push(workspace);
      const { context, workbench } = await openWindow({ folder: workspace.path });
      const desk = { workbench, chat: await Chat.open(workbench), folder: workspace.path };
      // From here on it is not closed with the test.
      contexts.splice(contexts.indexOf(context), 1);
      kept = { context, workspace, desk };
      return desk;
    },
    async folder(files = {}) {
      return lend(await createTempWorkspace(files));
    },
    async sampleWorkspace() {
      return lend(await copySampleWorkspace());
    },
  };
}

/** Leaves nothing of the journey before in the window and its folder. */
async function tidy({ workbench, chat, folder }: Desk): Promise<void> {
  if ((await workbench.page.locator('.editor-group-container .tab').count()) > 0) {
    await workbench.runCommand('View: Close All Editors');
    await workbench.page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
  }
  await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name), { recursive: true })));
  await workbench.runCommand('Gantry: New Session');
  await chat.userMessages.first().waitFor({ state: 'detached' });
  await workbench.openChat();
  await chat.input.fill('');
}
