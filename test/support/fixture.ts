import type { Browser, BrowserContext, Page } from 'playwright-core';
import { sharedBrowser } from './browser.ts';
import { Chat } from './chat.ts';
import { keepEvidence } from './evidence.ts';
import { copySampleWorkspace } from './sample-workspace.ts';
import type { TempFolder } from './temp-folder.ts';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from './temp-workspace.ts';
import { releaseFromEnvironment } from './vscode/releases.ts';
import { startVsCode, type VsCodeOptions, type VsCodeServer, type WindowTarget } from './vscode/server.ts';
import { Workbench } from './workbench.ts';

export type BenchOptions = Omit<VsCodeOptions, 'release'> & Partial<Pick<VsCodeOptions, 'release'>>;

export interface Bench {
  /** The suite's VS Code. It exists once the suite's `before` hooks have run. */
  readonly server: VsCodeServer;
  /**
   * Opens a window with an empty browser profile and the suite's user settings, plus `settings`. It is closed when the
   * test ends.
   */
  open(target?: WindowTarget, settings?: Readonly<Record<string, unknown>>): Promise<Workbench>;
  /**
   * Continues in the window of the previous test, as users do: with a new session, no editors and only these files.
   * After a failed test, it is a new window. A test that changes the window itself (its size, its settings, its
   * permissions) opens its own.
   */
  goOn(files?: WorkspaceFiles): Promise<Desk>;
  /** Like `goOn`, in a new folder that is opened in that window. */
  goOnElsewhere(files?: WorkspaceFiles): Promise<Desk>;
  /** A new folder with these files, which is deleted at the end of the suite. */
  folder(files?: WorkspaceFiles): Promise<string>;
  /** A copy of `test/fixtures/sample-workspace`. */
  sampleWorkspace(): Promise<string>;
}

/** A window with the chat open. */
export interface Desk {
  readonly workbench: Workbench;
  readonly chat: Chat;
  readonly folder: string;
}

/** A VS Code, the browser of this process, and the window that journeys share. */
export interface Studio {
  readonly server: VsCodeServer;
  readonly browser: Browser;
  readonly settings: Readonly<Record<string, unknown>>;
  kept: { readonly context: BrowserContext; readonly workspace: TempWorkspace; readonly desk: Desk } | undefined;
}

export async function startStudio(options: BenchOptions): Promise<Studio> {
  const [server, browser] = await Promise.all([
    startVsCode({ ...options, release: options.release ?? releaseFromEnvironment() }),
    sharedBrowser(),
  ]);
  return { server, browser, settings: options.settings ?? {}, kept: undefined };
}

/** Closes the shared window, so the next journey gets a new one. */
export async function closeKept(studio: Studio): Promise<void> {
  const { kept } = studio;
  studio.kept = undefined;
  if (kept !== undefined) await closeWindows(kept.context);
  await kept?.workspace.dispose();
}

/** Merely closing a page notifies nobody, and its extension host would wait for it as long as the server runs. */
async function closeWindows(context: BrowserContext): Promise<void> {
  // Close the page even if it has crashed or asks about an unsaved file.
  const leave = (page: Page): Promise<unknown> => page.goto('about:blank', { timeout: 5_000 }).catch(() => undefined);
  await Promise.all(context.pages().map(leave));
  await context.close();
}

/**
 * Call this inside `describe`. The suite gets one VS Code, and each test that opens a window a new one.
 * A failed test leaves screenshots, the extension's log and the console in one folder below `test-results/`.
 *
 * Pass a function if the options depend on something that an earlier `before` starts, such as the Gemini endpoint.
 *
 * ```ts
 * const bench = useWorkbench(() => ({ trust: 'all', env: { GOOGLE_GEMINI_BASE_URL: gemini.url, GEMINI_API_KEY: 'k' } }));
 * it('answers', async () => {
 *   const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
 * ```
 */
export function useWorkbench(options: BenchOptions | (() => BenchOptions | Promise<BenchOptions>)): Bench {
  return useStudio(
    async () => startStudio(typeof options === 'function' ? await options() : options),
    async (studio) => {
      await closeKept(studio);
      await studio.server.dispose();
    },
  );
}

/**
 * Call this inside `describe`. Provides a bench in the studio of `start`, and passes the studio to `stop` at the end of
 * the suite.
 */
export function useStudio(start: () => Promise<Studio>, stop: (studio: Studio) => Promise<void>): Bench {
  let current: Studio | undefined;
  let testStart = new Date();
  let test: Mocha.Test | undefined;
  const folders: TempFolder[] = [];
  const contexts: BrowserContext[] = [];
  const workbenches: Workbench[] = [];

  const studio = (): Studio => {
    if (current === undefined) {
      throw new Error("The suite's VS Code is not there yet: use it in tests and hooks only.");
    }
    return current;
  };

  before(async function () {
    // The first suite on a machine installs VS Code and a browser first.
    this.timeout(10 * 60_000);
    current = await start();
  });

  beforeEach(function () {
    testStart = new Date();
    test = this.currentTest;
  });

  afterEach(async function () {
    this.timeout(30_000);
    if (this.currentTest?.state === 'failed' && current !== undefined) {
      await keepEvidence(this.currentTest, current.server, workbenches, testStart);
      await closeKept(current);
    }
    await Promise.all(contexts.splice(0).map(closeWindows));
    workbenches.length = 0;
  });

  after(async () => {
    if (current !== undefined) await stop(current);
    await Promise.all(folders.splice(0).map((folder) => folder.dispose()));
  });

  const lend = (folder: TempFolder): string => {
    folders.push(folder);
    return folder.path;
  };

  const newWindow = async (
    settings: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly context: BrowserContext; readonly workbench: Workbench }> => {
    const { server, browser, settings: usual } = studio();
    await server.writeUserSettings({ ...usual, ...settings });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    contexts.push(context);
    const workbench = new Workbench(await context.newPage(), server);
    workbenches.push(workbench);
    return { context, workbench };
  };

  /** The window that journeys share. */
  const keptWindow = async (): ReturnType<typeof newWindow> => {
    const { kept, server, settings } = studio();
    if (kept === undefined) return newWindow();
    const { context, desk } = kept;
    workbenches.push(desk.workbench);
    // A reloaded window reads the settings of the window that was opened last.
    await server.writeUserSettings(settings);
    return { context, workbench: desk.workbench };
  };

  /** A window has its own time to open, which is most of what a short test takes on a busy machine. */
  const openIn = async (workbench: Workbench, target?: WindowTarget): Promise<void> => {
    await workbench.open(target);
    test?.resetTimeout();
  };

  const bench: Bench = {
    get server() {
      return studio().server;
    },
    async open(target, settings) {
      const { workbench } = await newWindow(settings);
      await openIn(workbench, target);
      return workbench;
    },
    async goOn(files = {}) {
      const { kept } = studio();
      if (kept === undefined) return bench.goOnElsewhere(files);
      await keptWindow();
      await tidy(kept.desk);
      await kept.workspace.replace(files);
      return kept.desk;
    },
    async goOnElsewhere(files = {}) {
      const left = studio().kept;
      const { context, workbench } = await keptWindow();
      const workspace = await createTempWorkspace(files);
      await openIn(workbench, { folder: workspace.path });
      const desk = { workbench, chat: await Chat.open(workbench), folder: workspace.path };
      // From here on, the window is not closed with the test.
      contexts.splice(0, contexts.length, ...contexts.filter((other) => other !== context));
      studio().kept = { context, workspace, desk };
      await left?.workspace.dispose();
      return desk;
    },
    async folder(files = {}) {
      return lend(await createTempWorkspace(files));
    },
    async sampleWorkspace() {
      return lend(await copySampleWorkspace());
    },
  };
  return bench;
}

/** Removes everything that the previous journey left in the window. */
async function tidy({ workbench, chat }: Desk): Promise<void> {
  const { page } = workbench;
  if ((await page.locator('.editor-group-container .tab').count()) > 0) {
    const isUnsaved = (await page.locator('.editor-group-container .tab.dirty').count()) > 0;
    await workbench.runCommand('View: Close All Editors');
    if (isUnsaved) await page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" }).click();
    await page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
  }
  const panel = page.locator('.part.panel');
  if (await panel.isVisible()) {
    // The panel closes with its last terminal, but may also show comments.
    const showsTerminals = await panel.locator('.integrated-terminal').isVisible();
    await workbench.runCommand('Terminal: Kill All Terminals');
    if (!showsTerminals) await workbench.runCommand('View: Toggle Panel Visibility');
    await panel.waitFor({ state: 'hidden' });
  }
  if ((await page.locator('.notification-toast').count()) > 0) await workbench.dismissNotifications();
  await workbench.runCommand('Gantry: New Session');
  await chat.userMessages.first().waitFor({ state: 'detached' });
  await workbench.openChat();
  await chat.input.fill('');
}
