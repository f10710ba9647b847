import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { deferred } from '../deferred.ts';
import { repoRoot, resultsDir } from '../repo.ts';
import type { TestCounts } from '../reporter.ts';
import { copySampleWorkspace } from '../sample-workspace.ts';
import { decodeHostMessage } from './host-protocol.ts';
import type { Release } from './releases.ts';
import { startVsCode, type VsCodeServer } from './server.ts';

export interface HostRunOptions {
  readonly release: Release;
  readonly grep: string | undefined;
  /** Variables that configure the test run. */
  readonly env: Readonly<Record<string, string>>;
  readonly write: (line: string) => void;
}

/** Longer than a test may take, so that the test's own timeout is reported first. */
const SILENCE_MS = 5 * 60_000;

/** Runs the suites of `test/host` in the extension host of VS Code from npm. */
export async function runHostSuites({ release, grep, env, write }: HostRunOptions): Promise<TestCounts> {
  const [workspace, server, browser] = await Promise.all([
    copySampleWorkspace(),
    startVsCode({
      release,
      trust: 'all',
      smokeTestDriver: true,
      settings: { 'gantry.sandbox': 'auto' },
      env: { ...env, ...(grep !== undefined && { GANTRY_TEST_GREP: grep }) },
    }),
    launchBrowser(),
  ]);
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    return await runIn(page, server, workspace.path, write);
  } finally {
    await browser.close();
    await server.dispose();
    await workspace.dispose();
  }
}

async function runIn(
  page: Page,
  server: VsCodeServer,
  folder: string,
  write: (line: string) => void,
): Promise<TestCounts> {
  let counts: TestCounts | undefined;
  const noise: string[] = [];
  const exited = deferred<number>();
  const silence = setTimeout(
    () => exited.reject(new Error('The host suites have said nothing for too long.')),
    SILENCE_MS,
  );
  // The two functions that VS Code's web test runner calls.
  await page.exposeFunction('codeAutomationExit', (code: number) => exited.resolve(code));
  await page.exposeFunction('codeAutomationLog', (type: string, parts: readonly unknown[]) => {
    silence.refresh();
    const text = parts.map(String).join(' ');
    const message = decodeHostMessage(text);
    if (message === undefined) {
      noise.push(`${type}: ${text}`);
    } else if ('counts' in message) {
      counts = message.counts;
    } else {
      write(message.line);
    }
  });
  try {
    await page.goto(server.urlFor({ folder, payload: testPayload(server) }), { waitUntil: 'commit' });
    const exitCode = await exited.promise;
    if (counts === undefined) {
      throw new Error(`The host suites ended with code ${exitCode} before they reported their counts.`);
    }
    return counts;
  } finally {
    clearTimeout(silence);
    if (counts === undefined || counts.failed > 0) {
      write(`Logs and a screenshot: ${await keepHostEvidence(page, server, noise)}`);
    }
  }
}

function testPayload(server: VsCodeServer): readonly (readonly [string, string])[] {
  const remote = (path: string): string => `vscode-remote://${new URL(server.origin).host}${path}`;
  return [
    ['extensionDevelopmentPath', remote(server.extensionPath)],
    ['extensionDevelopmentPath', remote(join(repoRoot, 'docs', 'example-extension'))],
    ['extensionTestsPath', remote(join(repoRoot, 'out', 'test', 'host', 'index'))],
    ['skipWelcome', 'true'],
  ];
}

async function keepHostEvidence(page: Page, server: VsCodeServer, console: readonly string[]): Promise<string> {
  const folder = join(resultsDir, `host.${server.release}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'console.log'), console.join('\n'));
  await writeFile(join(folder, 'extension.log'), await server.extensionLog());
  await writeFile(join(folder, 'extension-host.log'), await server.extensionHostLog());
  await page.screenshot({ path: join(folder, 'window.png') });
  return folder;
}
