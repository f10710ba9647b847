import { join } from 'node:path';
import type { PipedProgram } from '../../processes/piped-process.ts';

/**
 * Node keeps up to 32 MB for objects that have just been made, but what is made between two keystrokes is far less than
 * one. With half of the threads that compile in the background, each of which keeps what it once needed, these options
 * halve what the server needs beyond Node itself, and slow nothing down.
 */
const SMALL = ['--max-semi-space-size=1', '--v8-pool-size=1'];

/**
 * Linux returns to the system only what is larger than this. V8 parses in pieces of 32 kB, and most of them stay unused
 * once the server has started: 8 MB. Other systems ignore it.
 */
const RETURNED_BYTES = 16 * 1024;

/** How the language server is started. The folder has the bundles. */
export function serverProgram(folder: string, environment: Readonly<Record<string, string>>): PipedProgram {
  return {
    file: process.execPath,
    args: [...SMALL, join(folder, 'language-server.js'), '--stdio'],
    folder,
    environment: {
      ...environment,
      // The variable makes the editor's executable behave as Node.
      ELECTRON_RUN_AS_NODE: '1',
      MALLOC_MMAP_THRESHOLD_: String(RETURNED_BYTES),
    },
  };
}
