import { InOrder } from '../../base/in-order.ts';
import { RequestRate } from '../../base/request-rate.ts';
import type { Alarm } from '../../ports/clock.ts';

export interface RunningServer {
  /** Resolves when the server has ended, whatever the reason. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface ServerKeeperPorts {
  readonly start: () => Promise<RunningServer>;
  /** The server has crashed too often. */
  readonly gaveUp: () => void;
  readonly failed: (error: unknown) => void;
  readonly now: () => number;
  readonly alarm: Alarm;
}

/** Looking something up in another file, and returning, needs no new start. */
const IDLE_MS = 5 * 60_000;

/** As VS Code's own language client: a server that crashes more often crashes because of what is open. */
const MOST_RESTARTS = 5;
const RESTARTS_WITHIN_MS = 3 * 60_000;

/** Keeps the language server running while files are open, and restarts it if it crashes. */
export class ServerKeeper {
  private readonly order = new InOrder();
  private readonly restarts: RequestRate;
  private running: RunningServer | undefined;
  /** Whether files are open. */
  private isWanted = false;
  private hasGivenUp = false;
  private cancelIdle = (): void => undefined;

  constructor(private readonly ports: ServerKeeperPorts) {
    this.restarts = new RequestRate(MOST_RESTARTS, RESTARTS_WITHIN_MS, ports.now);
  }

  /** A file was opened. After too many crashes, this tries again when enough time has passed. */
  opened(): void {
    this.cancelIdle();
    this.isWanted = true;
    if (this.hasGivenUp && this.restarts.take() !== undefined) return;
    this.hasGivenUp = false;
    this.do(() => this.start());
  }

  /** The last file was closed. */
  closedAll(): void {
    this.cancelIdle();
    this.isWanted = false;
    this.cancelIdle = this.ports.alarm(IDLE_MS, () => this.end());
  }

  /** What the server was told at its start has changed. */
  renew(): void {
    this.do(async () => {
      if (!this.running) return;
      await this.stop();
      await this.start();
    });
  }

  /** Resolves when the server has ended. */
  async end(): Promise<void> {
    this.cancelIdle();
    this.isWanted = false;
    this.do(() => this.stop());
    await this.order.idle();
  }

  private async start(): Promise<void> {
    if (this.running || !this.isWanted) return;
    const server = await this.ports.start();
    this.running = server;
    void server.ended.then(() => this.crashed(server));
  }

  private async stop(): Promise<void> {
    const server = this.running;
    this.running = undefined;
    await server?.stop();
  }

  private crashed(server: RunningServer): void {
    if (this.running !== server) return;
    this.running = undefined;
    if (!this.isWanted) return;
    this.hasGivenUp = this.restarts.take() !== undefined;
    if (this.hasGivenUp) this.ports.gaveUp();
    else this.do(() => this.start());
  }

  private do(work: () => Promise<void>): void {
    this.order.run(work).catch(this.ports.failed);
  }
}
