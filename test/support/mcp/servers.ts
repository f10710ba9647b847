import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ServerState } from '../../../extension/mcp/mcp-server.ts';
import { McpServers } from '../../../extension/mcp/mcp-servers.ts';
import { ServerCatalog } from '../../../extension/mcp/server-catalog.ts';
import type { McpLoginStore } from '../../../extension/ports/host.ts';

export interface ServersUnderTest {
  readonly servers: McpServers;
  readonly log: string[];
  trusted: boolean;
  /** The user's setting. */
  setting: unknown;
  /** The servers that the user has disabled. */
  disabled: readonly string[];
  /** The pending waits. They end only when a test calls `ring`. */
  readonly waits: { readonly ms: number; readonly ring: () => void }[];
}

export interface ServersOptions {
  readonly root: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly logins?: McpLoginStore;
}

/** Everything is real, except for the time between two starts. */
export function mcpServers(setting: unknown, options: ServersOptions): ServersUnderTest {
  const { root, environment = {}, logins } = options;
  const log: string[] = [];
  const waits: { ms: number; ring: () => void }[] = [];
  const note = (message: string): void => void log.push(message);
  const all = {
    PATH: process.env['PATH'] ?? '',
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root, 'no.json'),
    ...environment,
  };
  const test: ServersUnderTest = {
    log,
    waits,
    trusted: true,
    setting,
    disabled: [],
    servers: new McpServers({
      catalog: new ServerCatalog({
        workspace: { roots: () => [root], isTrusted: () => test.trusted },
        environment: all,
        home: join(root, 'no-home'),
        acceptedFile: undefined,
        setting: () => test.setting,
      }),
      log: { debug: note, info: note, warn: note, error: note },
      version: '0.0.0',
      environment: () => all,
      childEnvironment: () => all,
      home: homedir(),
      roots: () => [root],
      now: () => Date.now(),
      alarm: (ms, ring) => {
        const wait = { ms, ring };
        waits.push(wait);
        return () => void (waits.includes(wait) && waits.splice(waits.indexOf(wait), 1));
      },
      isDisabled: (name) => test.disabled.includes(name),
      ...(logins && { logins }),
    }),
  };
  return test;
}

/** Resolves as soon as the server is in this state. */
export async function untilState(servers: McpServers, name: string, kind: ServerState['kind']): Promise<void> {
  const isThere = (): boolean => servers.servers.find((server) => server.name === name)?.state.kind === kind;
  if (isThere()) return;
  await new Promise<void>((resolve) => {
    const stop = servers.onDidChange(() => {
      if (!isThere()) return;
      stop();
      resolve();
    });
  });
}
