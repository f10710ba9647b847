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
  // No page that a test opens reaches another machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

let shared: Promise<Browser> | undefined;

/** One for all suites of this process; it ends with it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Starts a headless browser of the Chrome family; gets one into the cache when the machine has none. */
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

/** Gets what a browser needs onto this machine, where it is not there yet. */
export async function ensureBrowser(): Promise<void> {
  await Promise.all([findBrowser(), fontEnvironment()]);
}

/**
 * In this order: the path in `GANTRY_TEST_BROWSER`, npm's Chromium, an installed browser, Debian's Chromium. Which one is
 * installed is up to the machine, and it changes.
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
