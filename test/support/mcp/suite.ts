import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'mocha';
import type { ServerAnswer } from '../../../extension/mcp/connection-types.ts';
import type { McpServer } from '../../../extension/mcp/mcp-server.ts';
import { type TempFolder, tempFolder } from '../temp-folder.ts';
import { type HttpMcpOptions, type HttpMcpServer, startHttpMcp } from './http-server.ts';
import { mcpServers, type ServersOptions, type ServersUnderTest, untilState } from './servers.ts';
import { stdio } from './stdio.ts';

export const NEVER = new AbortController().signal;

export interface McpSuite {
  /** The open folder. */
  readonly folder: string;
  /** Creates the servers of a window without reading the configuration. */
  create(setting: unknown, options?: Partial<ServersOptions>): ServersUnderTest;
  /** Creates the servers of a window and starts them. */
  open(setting: unknown, options?: Partial<ServersOptions>): Promise<ServersUnderTest>;
  site(options?: HttpMcpOptions): Promise<HttpMcpServer>;
  /** A definition whose starts are counted. */
  counted(manner: string, more?: Readonly<Record<string, unknown>>): unknown;
  /** The process ids of the counted starts. */
  starts(): Promise<number[]>;
}

/** Call this at the top of a file. Each test gets new folders and servers. */
export function useMcpServers(): McpSuite {
  let folder: TempFolder | undefined;
  let made: ServersUnderTest[] = [];
  let sites: HttpMcpServer[] = [];
  beforeEach(async () => {
    folder = await tempFolder('mcp');
    [made, sites] = [[], []];
  });
  afterEach(async () => {
    for (const { servers } of made) await servers.dispose();
    for (const site of sites) await site.dispose();
    await folder?.dispose();
  });
  const suite: McpSuite = {
    get folder() {
      return folder?.path ?? '';
    },
    create: (setting, options = {}) => {
      const test = mcpServers(setting, { root: suite.folder, ...options });
      made.push(test);
      return test;
    },
    open: async (setting, options) => {
      const test = suite.create(setting, options);
      await test.servers.refresh();
      return test;
    },
    site: async (options) => {
      const started = await startHttpMcp(options);
      sites.push(started);
      return started;
    },
    counted: (manner, more = {}) => stdio(manner, more, join(suite.folder, 'starts')),
    starts: async () => {
      const text = await readFile(join(suite.folder, 'starts'), 'utf8').catch(() => '');
      return text.split('\n').filter(Boolean).map(Number);
    },
  };
  return suite;
}

export function named({ servers }: ServersUnderTest, name: string): McpServer {
  const found = servers.servers.find((server) => server.name === name);
  assert.ok(found, name);
  return found;
}

export async function ready(test: ServersUnderTest, name = 's'): Promise<McpServer> {
  await untilState(test.servers, name, 'ready');
  return named(test, name);
}

export function callTool(server: McpServer, name: string, args = {}, signal = NEVER): Promise<ServerAnswer<unknown>> {
  return server.callTool(name, args, { signal });
}

/** The text that a tool returned, or the error. */
export function saidIn(answer: ServerAnswer<unknown>): string {
  if ('failed' in answer) return `${answer.failed.kind}: ${answer.failed.message}`;
  const { content } = answer.value as { content: { text?: string }[] };
  return content.map(({ text }) => text ?? '').join('');
}
