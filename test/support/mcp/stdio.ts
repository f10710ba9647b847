import { resolve } from 'node:path';

/** Tests run in the folder of the project, even inside VS Code. */
export const STDIO_SERVER = resolve('out/test/support/mcp/stdio-server.mjs');

/** A definition that starts the program with this manner. */
export function stdio(manner: string, more: Readonly<Record<string, unknown>> = {}, ...args: string[]): unknown {
  return { command: process.execPath, args: [STDIO_SERVER, manner, ...args], ...more };
}
