import { type Browser, chromium } from 'playwright-core';
import type { BrowserBinary } from './browser/binary.ts';
import { debianChromium } from './browser/debian-chromium.ts';
import { fontEnvironment } from './browser/fonts.ts';
import { installedBrowser, isExecutable } from './browser/installed.ts';
import { npmChromium } from './browser/npm-chromium.ts';

const browserVariable = 'GANTRY_TEST_BROWSER';

const flags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of tests can't reach other machines.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

let shared: Promise<Browser> | undefined;

/** One browser for all suites of this process. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Starts a headless browser of the Chrome family. If the machine has none, downloads one to the cache. */
export async function launchBrowser(): Promise<Browser> {
  const { executable, libraries } = await findBrowser();
  const libraryPath = [...libraries, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  return chromium.launch({
    executablePath: executable,
    args: [...flags],
    env: {
      ...process.env,
      ...(await fontEnvironment()),
      ...(libraries.length > 0 ? { LD_LIBRARY_PATH: libraryPath } : {}),
    },
  });
}

/** Installs everything that a browser needs, unless it is already there. */
export async function ensureBrowser(): Promise<void> {
  await Promise.all([findBrowser(), fontEnvironment()]);
}

/**
 * Looks for a browser in this order: the path in `GANTRY_TEST_BROWSER`, npm's Chromium, an installed browser, Debian's
 * Chromium. An installed browser comes late, because it differs between machines and over time.
 */
export async function findBrowser(): Promise<BrowserBinary> {
  const explicit = process.env[browserVariable];
  if (explicit !== undefined && explicit !== '') {
    if (!isExecutable(explicit)) {
      throw new Error(`${browserVariable} names ${explicit}, which is not an executable file.`);
    }
    return { executable: explicit, libraries: [] };
  }
  const carried = await npmChromium();
  if (carried !== undefined) return carried;
  const installed = installedBrowser();
  if (installed !== undefined) return { executable: installed, libraries: [] };
  return (await debianChromium().catch(withoutBrowser)) ?? withoutBrowser();
}

function withoutBrowser(cause?: unknown): never {
  throw new Error(
    `No browser to drive VS Code with on ${process.platform}-${process.arch}. ` +
      `Install Chrome, Chromium or Edge, or set ${browserVariable} to the path of one.`,
    { cause },
  );
}
