import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ExitCode } from '../../../extension/headless/exit-code.ts';
import { type KeeperWorld, keep } from '../../../extension/headless/keeper.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const PORT = 41_999;

/** A server that only exists for its keeper. */
interface PlayedServer {
  readonly pid: number;
  /** In seconds. */
  readonly startedAt: number;
  readonly args: readonly string[];
  exitCode: number | null | undefined;
  readonly signals: NodeJS.Signals[];
}

/** What a server does in each half second of its life. */
type Life = (server: PlayedServer, seconds: number) => void;

/** A world whose time passes when the keeper waits. */
class PlayedWorld implements KeeperWorld {
  readonly servers: PlayedServer[] = [];
  readonly looks: number[] = [];
  /** Servers write their first line at once. */
  isReady = true;
  /** The server that no longer answers. */
  hanging: PlayedServer | undefined;
  /** Called after each wait of the keeper. */
  onTime: (seconds: number) => void | Promise<void> = () => undefined;
  private ms = 0;

  constructor(private readonly life: Life) {}

  now(): number {
    return this.ms;
  }

  async wait(ms: number): Promise<void> {
    this.ms += ms;
    const server = this.servers.at(-1);
    if (server && server.exitCode === undefined) this.life(server, this.ms / 1000 - server.startedAt);
    await this.onTime(this.ms / 1000);
  }

  start({ args }: Parameters<KeeperWorld['start']>[0]): ReturnType<KeeperWorld['start']> {
    const signals: NodeJS.Signals[] = [];
    const pid = 100 + this.servers.length;
    const server: PlayedServer = { pid, startedAt: this.ms / 1000, args, exitCode: undefined, signals };
    this.servers.push(server);
    return {
      pid,
      get exitCode() {
        return server.exitCode;
      },
      kill: (signal) => {
        signals.push(signal);
        server.exitCode = signal === 'SIGKILL' ? null : ExitCode.interrupted;
      },
      leave: () => undefined,
    };
  }

  lastServerIn(): Promise<{ port: number } | undefined> {
    return Promise.resolve(this.isReady ? { port: PORT } : undefined);
  }

  healthyServer(): Promise<{ pid: number } | undefined> {
    const server = this.servers.at(-1);
    return Promise.resolve(server?.exitCode === undefined ? server : undefined);
  }

  isSilent(port: number): Promise<boolean> {
    assert.equal(port, PORT);
    this.looks.push(this.ms / 1000);
    return Promise.resolve(this.hanging !== undefined && this.hanging === this.servers.at(-1));
  }
}

describe('What keeps a detached server running', () => {
  let home: TempFolder;
  beforeEach(async () => {
    home = await tempFolder('keeper');
  });
  afterEach(() => home.dispose());

  const mark = (): string => join(home.path, 'a2a', `${PORT}.keeper`);
  const kept = (world: KeeperWorld, interrupted = new AbortController().signal): Promise<ExitCode> => {
    const environment = { GANTRY_HOME: home.path };
    const program = { args: ['serve', '--trust'], folder: home.path, environment };
    return keep({ ...program, log: join(home.path, 'log'), port: 0 }, interrupted, world);
  };
  const startsOf = ({ servers }: PlayedWorld): number[] => servers.map(({ startedAt }) => startedAt);

  it('looks every 30 s, kills a server that does not answer, and starts another one at its port', async () => {
    const world = new PlayedWorld((server, seconds) => {
      if (server.pid === 100 && seconds >= 70) world.hanging = server;
      if (server.pid === 101 && seconds >= 31) server.exitCode = ExitCode.done;
    });
    assert.equal(await kept(world), ExitCode.done);
    assert.deepEqual(world.looks, [30, 60, 90, 121.5]);
    assert.deepEqual(
      world.servers.map(({ signals }) => signals),
      [['SIGKILL'], []],
    );
    assert.deepEqual(startsOf(world), [0, 91.5]);
    assert.deepEqual(world.servers[1]?.args.slice(-2), ['--port', String(PORT)]);
    assert.ok(world.servers.every(({ args }) => args.includes('--trust')));
    assert.equal(existsSync(mark()), false);
  });

  it('starts a server that crashes again after 1, 2, 4, 8 and 16 s, and gives up after the fifth time', async () => {
    const world = new PlayedWorld((server, seconds) => {
      if (seconds >= 10) server.exitCode = 1;
    });
    assert.equal(await kept(world), ExitCode.failed);
    const starts = startsOf(world);
    assert.deepEqual(
      starts.slice(1).map((at, index) => at - (starts[index] ?? 0)),
      [1, 2, 4, 8, 16].map((delay) => 10 + delay),
    );
    assert.equal(world.now() / 1000, (starts.at(-1) ?? 0) + 10, 'it waits no longer after the last one');
    assert.equal(existsSync(mark()), false);
  });

  it('starts a server again that crashed before the first look', async () => {
    const world = new PlayedWorld(() => undefined);
    const { start } = world;
    world.start = (program) => {
      const server = start.call(world, program);
      const [first, second] = world.servers;
      if (first) first.exitCode = null;
      if (second) second.exitCode = ExitCode.done;
      return server;
    };
    assert.equal(await kept(world), ExitCode.done);
    assert.deepEqual(startsOf(world), [0, 1]);
  });

  for (const code of [ExitCode.authentication, ExitCode.badInput, ExitCode.badConfiguration]) {
    it(`ends like a server that never was ready: ${code}`, async () => {
      const world = new PlayedWorld((server) => {
        server.exitCode = code;
      });
      world.isReady = false;
      assert.equal(await kept(world), code);
      assert.equal(world.servers.length, 1);
    });
  }

  for (const code of [ExitCode.done, ExitCode.interrupted]) {
    it(`does not start a server again that has ended by itself: ${code}`, async () => {
      const world = new PlayedWorld((server, seconds) => {
        if (seconds >= 5) server.exitCode = code;
      });
      assert.equal(await kept(world), ExitCode.done);
      assert.equal(world.servers.length, 1);
    });
  }

  it('stops the server when its file is removed, and starts none if that happens between two attempts', async () => {
    const running = new PlayedWorld(() => undefined);
    running.onTime = async (seconds) => {
      if (seconds === 5) await rm(mark());
    };
    assert.equal(await kept(running), ExitCode.done);
    assert.deepEqual(running.servers[0]?.signals, ['SIGTERM']);

    const between = new PlayedWorld((server, seconds) => {
      if (seconds >= 5) server.exitCode = 1;
    });
    between.onTime = async (seconds) => {
      if (seconds === 6) await rm(mark());
    };
    assert.equal(await kept(between), ExitCode.done);
    assert.equal(between.servers.length, 1);
  });

  it('stops the server when it is interrupted', async () => {
    const interrupted = new AbortController();
    const world = new PlayedWorld(() => undefined);
    world.onTime = (seconds) => {
      if (seconds === 3) interrupted.abort();
    };
    assert.equal(await kept(world, interrupted.signal), ExitCode.done);
    assert.deepEqual(world.servers[0]?.signals, ['SIGTERM']);
    assert.equal(existsSync(mark()), false);
  });
});
