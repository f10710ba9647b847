import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type RunningServer, ServerKeeper } from '../../../../extension/vscode/language/server-keeper.ts';
import { type Deferred, deferred } from '../../../support/deferred.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

class FakeServer implements RunningServer {
  private readonly end: Deferred<void> = deferred();
  readonly ended = this.end.promise;
  isRunning = true;

  stop(): Promise<void> {
    this.crash();
    return this.ended;
  }

  crash(): void {
    this.isRunning = false;
    this.end.resolve();
  }
}

describe('The language server', () => {
  let time: VirtualTime;
  let keeper: ServerKeeper;
  let servers: FakeServer[];
  let reports: number;
  let failures: unknown[];
  let isBroken: boolean;

  beforeEach(() => {
    [time, servers, reports, failures, isBroken] = [new VirtualTime(), [], 0, [], false];
    keeper = new ServerKeeper({
      start: async () => {
        if (isBroken) throw new Error('broken');
        servers.push(new FakeServer());
        return servers.at(-1) as FakeServer;
      },
      gaveUp: () => reports++,
      failed: (error) => failures.push(error),
      now: time.clock.now,
      alarm: time.alarm,
    });
  });

  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const running = (): number => servers.filter(({ isRunning }) => isRunning).length;
  const crash = async (): Promise<void> => {
    servers.at(-1)?.crash();
    await settle();
  };

  it('runs once, however many files are open', async () => {
    for (let file = 0; file < 3; file++) keeper.opened();
    await settle();
    assert.equal(servers.length, 1);
  });

  it('ends five minutes after the last file was closed', async () => {
    keeper.opened();
    await settle();
    keeper.closedAll();
    time.pass(4.9);
    await settle();
    assert.equal(running(), 1);
    time.pass(0.2);
    await settle();
    assert.equal(running(), 0);
    assert.equal(time.pending, 0);
  });

  it('stays if a file is opened within that time, and starts again if one is opened later', async () => {
    keeper.opened();
    await settle();
    keeper.closedAll();
    time.pass(4);
    keeper.opened();
    time.pass(10);
    await settle();
    assert.deepEqual([running(), servers.length], [1, 1]);
    keeper.closedAll();
    time.pass(6);
    keeper.opened();
    await settle();
    assert.deepEqual([running(), servers.length], [1, 2]);
  });

  it('is restarted after a crash, at most five times in three minutes, and then this is reported once', async () => {
    keeper.opened();
    await settle();
    for (let crashes = 0; crashes < 10; crashes++) await crash();
    assert.deepEqual([servers.length, running(), reports], [6, 0, 1]);
    keeper.opened();
    await settle();
    assert.deepEqual([servers.length, reports], [6, 1], 'another file changes nothing');
  });

  it('may crash now and then', async () => {
    keeper.opened();
    await settle();
    for (let crashes = 0; crashes < 20; crashes++) {
      await crash();
      time.pass(0.7);
    }
    assert.deepEqual([running(), reports], [1, 0]);
  });

  it('is tried again with another file when enough time has passed', async () => {
    keeper.opened();
    await settle();
    for (let crashes = 0; crashes < 6; crashes++) await crash();
    time.pass(3.1);
    keeper.opened();
    await settle();
    assert.deepEqual([servers.length, running()], [7, 1]);
  });

  it('is not restarted for nobody', async () => {
    keeper.opened();
    await settle();
    keeper.closedAll();
    await crash();
    assert.deepEqual([servers.length, reports], [1, 0]);
  });

  it('starts anew when what it was told has changed', async () => {
    keeper.renew();
    await settle();
    assert.equal(servers.length, 0, 'it was not running');
    keeper.opened();
    keeper.renew();
    await settle();
    await settle();
    assert.deepEqual(
      servers.map(({ isRunning }) => isRunning),
      [false, true],
    );
    assert.equal(reports, 0);
  });

  it('ends with the window', async () => {
    keeper.opened();
    await settle();
    await keeper.end();
    assert.deepEqual([servers.length, running()], [1, 0]);
  });

  it('that cannot be started is tried again with the next file', async () => {
    isBroken = true;
    keeper.opened();
    await settle();
    assert.match(String(failures), /broken/);
    isBroken = false;
    keeper.opened();
    await settle();
    assert.equal(running(), 1);
  });
});
