import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { CommandHook, HookResult } from '../../../../extension/hooks/hook-types.ts';
import { runHook } from '../../../../extension/hooks/run-hook.ts';
import { openServer } from '../../../../extension/mcp/open-server.ts';
import type { ConfiguredServer } from '../../../../extension/mcp/server-catalog.ts';
import type { Host } from '../../../../extension/ports/host.ts';
import type { SandboxSettings } from '../../../../extension/ports/settings.ts';
import { hookConfinement, serverConfinement } from '../../../../extension/runtime/programs/project-programs.ts';
import { NO_SANDBOX, Sandbox } from '../../../../extension/sandbox/sandbox.ts';
import { STDIO_SERVER } from '../../../support/mcp/stdio.ts';
import { saidIn } from '../../../support/mcp/suite.ts';
import { repoRoot } from '../../../support/repo.ts';
import { type TempFolder, tempFolderInSight } from '../../../support/temp-folder.ts';
import { testHost } from '../../../support/test-host.ts';
import { commandHook, input, NEVER } from '../../hooks/hook-builders.ts';

describe('A program that a project starts', () => {
  let work: TempFolder;
  let outside: TempFolder;
  let server: Server;
  let isSupported: boolean;
  before(async () => {
    [work, outside] = await Promise.all([tempFolderInSight('work'), tempFolderInSight('outside')]);
    server = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    isSupported = 'tool' in (await world('auto').sandbox.support());
  });
  after(async () => {
    server.close();
    await Promise.all([work.dispose(), outside.dispose()]);
  });

  function world(mode: SandboxSettings['mode'], missing?: string): { readonly host: Host; readonly sandbox: Sandbox } {
    const settings = (): SandboxSettings => ({ ...NO_SANDBOX, mode });
    const bare = testHost({ roots: [work.path], sessions: join(outside.path, 'kept', 'sessions') });
    const host = { ...bare, settings: { ...bare.settings, sandbox: settings } };
    const find = missing === undefined ? {} : { find: async () => ({ missing }) };
    return { host, sandbox: new Sandbox({ settings, environment: () => ({}), secrets: () => [], ...find }) };
  }

  async function run(hook: CommandHook, mode: SandboxSettings['mode'], missing?: string): Promise<HookResult> {
    const { host, sandbox } = world(mode, missing);
    try {
      return await runHook(hook, input('BeforeTool'), {
        place: { sessionId: 's', folder: work.path, plansFolder: '' },
        environment: {
          PATH: process.env['PATH'],
          OUTSIDE: outside.path,
          PORT: String((server.address() as AddressInfo).port),
        },
        signal: NEVER,
        limitMs: 20_000,
        confine: hookConfinement(host, sandbox),
      });
    } finally {
      await sandbox.dispose();
    }
  }

  const LOOKS_AROUND = [
    'echo x > mine && printf "inside "',
    '(exec 3<>/dev/tcp/127.0.0.1/$PORT) && printf "network "',
    'echo x > $OUTSIDE/file && printf outside',
    'true',
  ].join('; ');
  const reaches: Readonly<Record<string, readonly [changes: () => Partial<CommandHook>, reached: string]>> = {
    'the open folders and the network, unless it is said otherwise': [() => ({}), 'inside network'],
    'other folders that its definition names': [
      () => ({ sandbox: { folders: [outside.path] } }),
      'inside network outside',
    ],
    'only the hosts that its definition names': [() => ({ sandbox: { network: [] } }), 'inside'],
    'everything when its definition says so': [() => ({ sandbox: false }), 'inside network outside'],
    'everything when it is the user’s own': [() => ({ source: 'user' }), 'inside network outside'],
  };
  for (const [title, [changes, reached]] of Object.entries(reaches)) {
    it(`reaches ${title}`, async function () {
      if (!isSupported) this.skip();
      const hook = commandHook(`{ ${LOOKS_AROUND}; } 2>/dev/null`, { source: 'project', ...changes() });
      const { output } = await run(hook, 'auto');
      assert.equal(output?.systemMessage?.trim(), reached);
    });
  }

  for (const [scope, held] of [
    ['project', 'bubblewrap'],
    ['user', 'not set'],
  ] as const) {
    it(`may be a server, which stays: ${scope}`, async function () {
      if (!isSupported || process.platform !== 'linux') this.skip();
      const { host, sandbox } = world('auto');
      const reach = { kind: 'stdio', command: process.execPath, args: [STDIO_SERVER, 'good'], env: {} } as const;
      const origin = { file: '/x/settings.json', line: 1, scope };
      const limits = { timeoutMs: 20_000, trust: false, excludeTools: [] };
      // If this repository is in a temporary folder, the sandbox hides the server otherwise.
      const clause = { folders: [repoRoot] };
      const definition: ConfiguredServer = {
        name: 's',
        reach,
        origin,
        ...limits,
        sandbox: clause,
        hash: '',
        waits: false,
      };
      const nobody = {
        ask: async () => ({ action: 'cancel' as const }),
        changed: () => {},
        closed: () => {},
        confused: () => {},
      };
      const opened = await openServer(
        definition,
        nobody,
        { signal: NEVER, timeoutMs: 20_000 },
        {
          log: host.log,
          version: '1',
          environment: () => ({}),
          childEnvironment: () => ({ PATH: process.env['PATH'] }),
          home: outside.path,
          roots: () => [work.path],
          confine: serverConfinement(host, sandbox),
        },
      );
      assert.ok('connection' in opened, JSON.stringify(opened));
      const { connection } = opened;
      const said = await connection.callTool(
        'environment',
        { name: 'GANTRY_SANDBOX' },
        { signal: NEVER, timeoutMs: 20_000 },
      );
      assert.equal(saidIn(said), held);
      await connection.close();
      await sandbox.dispose();
      const put = (await readdir(work.path)).filter((name) => name !== 'mine');
      assert.deepEqual(put, [], 'nothing is put there for so long');
    });
  }

  for (const [title, sandbox, missing, expected] of [
    ['there is no sandbox', undefined, 'There is no bubblewrap.', /could not be started: There is no bubblewrap\./],
    ['its definition wants none', false, undefined, /could not be started: It would run outside the sandbox/],
  ] as const) {
    it(`is not started where one is required and ${title}`, async () => {
      const hook = commandHook('touch started', { source: 'project', ...(sandbox === false && { sandbox }) });
      const { failure } = await run(hook, 'required', missing);
      assert.match(failure?.text ?? '', expected);
      assert.ok(!(await readdir(work.path)).includes('started'));
    });
  }
});
