import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { keepEvidence } from './evidence.ts';
import { copySampleWorkspace } from './sample-workspace.ts';
import type { TempFolder } from './temp-folder.ts';
import { createTempWorkspace } from './temp-workspace.ts';
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
  /** A new folder with these files (path to text), deleted at the end of the suite. */
  folder(files?: Readonly<Record<string, string>>): Promise<string>;
  /** A copy of `test/fixtures/sample-workspace`. */
  sampleWorkspace(): Promise<string>;
}

/**
 * Call it inside `describe`: one VS Code and one browser for the suite, a fresh window per test. A failed test leaves
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

  return {
    get server() {
      if (server === undefined) {
        throw new Error("The suite's VS Code is not there yet: use it in tests and hooks only.");
      }
      return server;
    },
    async open(target, settings) {
      if (browser === undefined) {
        throw new Error('Open windows in tests and hooks only.');
      }
      await this.server.writeUserSettings({ ...suiteSettings, ...settings });
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
      contexts.push(context);
      const workbench = new Workbench(await context.newPage(), this.server);
      workbenches.push(workbench);
      await workbench.open(target);
      return workbench;
    },
    async folder(files = {}) {
      return lend(await createTempWorkspace(files));
    },
    async sampleWorkspace() {
      return lend(await copySampleWorkspace());
    },
  };
}
