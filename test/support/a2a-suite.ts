import { after, afterEach, before, beforeEach } from 'mocha';
import { A2aServer, type A2aServerOptions } from './a2a-server.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from './gemini/server.ts';
import { shareCompiled } from './headless.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';
import { createTempWorkspace, type TempWorkspace } from './temp-workspace.ts';

export interface A2aSuite {
  readonly endpoint: GeminiEndpoint;
  readonly workspace: string;
  /** The folder of Gantry's own files, which all servers of a test share. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  start(options?: Partial<A2aServerOptions>): Promise<A2aServer>;
}

/**
 * Call this inside `describe`. Each test gets a new endpoint and new folders, and its servers are stopped after it; or
 * all tests share them, because starting a server takes longer than most tests.
 */
export function useA2a({ isShared = false } = {}): A2aSuite {
  const [begin, end] = isShared ? [before, after] : [beforeEach, afterEach];
  let endpoint: GeminiEndpoint | undefined;
  let workspace: TempWorkspace | undefined;
  let home: TempFolder | undefined;
  let servers: A2aServer[] = [];
  begin(async () => {
    endpoint = await startGeminiEndpoint();
    workspace = await createTempWorkspace({ 'note.txt': 'The answer is 42.\n' });
    home = await tempFolder('a2a-home');
    shareCompiled(home.path);
    servers = [];
  });
  end(async () => {
    for (const server of servers) await server.stop();
    for (const part of [workspace, endpoint, home]) await part?.dispose();
  });
  const suite: A2aSuite = {
    get endpoint() {
      if (!endpoint) throw new Error('The endpoint is there in tests and hooks only.');
      return endpoint;
    },
    get workspace() {
      return workspace?.path ?? '';
    },
    get home() {
      return home?.path ?? '';
    },
    get environment() {
      return { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: suite.endpoint.url, GANTRY_HOME: suite.home };
    },
    start: async (options = {}) => {
      const { workspace: folder, environment } = suite;
      const server = await A2aServer.start({ workspace: folder, environment, ...options });
      servers.push(server);
      return server;
    },
  };
  return suite;
}
