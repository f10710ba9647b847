import { InOrder } from '../base/in-order.ts';
import type { Host } from '../ports/host.ts';
import type { RecordLog } from '../sessions/session-journal.ts';
import { type Destination, readDestination } from './destination.ts';
import type { Pipeline } from './main.ts';
import type { FollowedSession, Sighting } from './session-observer.ts';

/** What telemetry does now, for the log and for `/stats`. */
export type TelemetryState =
  | Exclude<Destination, { kind: 'on' }>
  | { readonly kind: 'on'; readonly place: string; readonly sent: number; readonly dropped: number };

type TelemetryHost = Pick<Host, 'settings' | 'environment' | 'log' | 'clock' | 'connectsDirectly'>;

/** The MCP servers and their states. */
interface McpServers {
  readonly onDidChange: (listener: () => void) => unknown;
  readonly statuses: readonly { readonly name: string; readonly state: { readonly kind: string } }[];
}

/** Sends spans and metrics to the endpoint that the user named, if any. Nothing of OpenTelemetry is loaded before. */
export class Telemetry {
  private destination: Destination = { kind: 'off' };
  private pipeline: Pipeline | undefined;
  private readonly changes = new InOrder();
  /** What happened in this turn of the event loop, in order. */
  private observed: ((pipeline: Pipeline) => void)[] = [];
  private telling: NodeJS.Immediate | undefined;

  constructor(
    private readonly host: TelemetryHost,
    private readonly version: string,
  ) {}

  get state(): TelemetryState {
    const { destination, pipeline } = this;
    if (destination.kind !== 'on') return destination;
    const { sent, dropped } = pipeline?.counts ?? { sent: 0, dropped: 0 };
    return { kind: 'on', place: destination.place, sent, dropped };
  }

  /** Applies the settings as they are now. Never rejects. */
  async refresh(): Promise<void> {
    const { settings, environment } = this.host;
    const wanted = readDestination(settings.telemetry?.(), environment);
    if (isSame(wanted, this.destination)) return this.changes.idle();
    this.destination = wanted;
    await this.changes.run(() => this.apply(wanted));
  }

  /**
   * Observes a session from now on, except for records that are replayed, which were observed when they were made, and
   * for those that are no longer stored.
   */
  follow(session: FollowedSession & { readonly isClosed: boolean }, isReplaying: () => boolean): void {
    session.onRecord((record) => {
      if (!session.isClosed && !isReplaying()) this.observe((pipeline) => pipeline.take(session, record));
    });
  }

  /** Takes what is not in the records of a session. */
  see(sessionId: string, sighting: Sighting): void {
    this.observe((pipeline) => pipeline.see(sessionId, sighting));
  }

  /** The next run of a session works for a span of another process, which its header `traceparent` names. */
  workFor(session: FollowedSession, traceparent: string): void {
    this.observe((pipeline) => pipeline.workFor(session, traceparent));
  }

  /** The header `traceparent` of requests for the current run of a session. Undefined while telemetry is off. */
  traceparent(sessionId: string): string | undefined {
    this.tell();
    return this.pipeline?.traceparent(sessionId);
  }

  /** A summary is being made. The returned function is called with the outcome. */
  compacting(sessionId: string): (end: Pick<Extract<Sighting, { kind: 'compaction' }>, 'trigger' | 'status'>) => void {
    const { clock } = this.host;
    const from = clock.now();
    return (end) => this.see(sessionId, { kind: 'compaction', ...end, from, to: clock.now() });
  }

  /** The same log, with the duration of its writes measured. */
  timed(log: RecordLog): RecordLog {
    return {
      append: (...records) => {
        // An answer has hundreds of pieces. Measuring each would cost more than all other measurements of a turn.
        if (!this.pipeline || records.every(({ type }) => type === 'delta')) return log.append(...records);
        const from = performance.now();
        log.append(...records);
        const ms = performance.now() - from;
        this.observe((pipeline) => pipeline.appended(ms));
      },
      synced: () => log.synced(),
      close: () => log.close(),
    };
  }

  /** Lines of a log could not be read. */
  lost(lines: number): void {
    if (lines > 0) this.observe((pipeline) => pipeline.lost(lines));
  }

  /** Measures the starts of MCP servers. */
  followServers(servers: McpServers): void {
    const { clock } = this.host;
    followServerStarts(
      servers,
      () => clock.now(),
      (outcome, ms) => this.observe((pipeline) => pipeline.serverStarted(outcome, ms)),
    );
  }

  /** Ends what is observed of a session that closes: its run may continue in another process. */
  leave(sessionId: string): void {
    this.observe((pipeline) => pipeline.leave(sessionId));
  }

  /** Sends what is left, within two seconds. */
  async dispose(): Promise<void> {
    this.destination = { kind: 'off' };
    await this.changes.run(() => this.stop());
  }

  private async apply(wanted: Destination): Promise<void> {
    const { log } = this.host;
    try {
      await this.stop();
      if (wanted.kind === 'refused') log.warn(`Telemetry is off: ${wanted.why}.`);
      if (wanted.kind === 'blocked') log.info("Telemetry is off, because VS Code's telemetry is turned off.");
      if (wanted.kind !== 'on' || wanted !== this.destination) return;
      const { startPipeline } = await import('./main.ts');
      this.pipeline = startPipeline(wanted, this.host, this.version);
      log.info(`Telemetry: spans and metrics, without any content, are sent to ${wanted.place} (docs/telemetry.md).`);
    } catch (error) {
      log.error('Telemetry could not be started', error);
    }
  }

  private async stop(): Promise<void> {
    this.tell();
    const { pipeline } = this;
    this.pipeline = undefined;
    await pipeline?.stop();
  }

  /**
   * Spans and metrics are made in the next turn of the event loop. By then, the next request has usually left, so that a
   * run doesn't wait for them.
   */
  private observe(work: (pipeline: Pipeline) => void): void {
    if (!this.pipeline) return;
    this.observed.push(work);
    this.telling ??= setImmediate(() => this.tell());
  }

  /** A mistake in here must never stop a session. */
  private tell(): void {
    clearImmediate(this.telling);
    this.telling = undefined;
    const { observed, pipeline } = this;
    this.observed = [];
    if (!pipeline) return;
    try {
      for (const work of observed) work(pipeline);
    } catch (error) {
      this.host.log.error('Telemetry failed, and is off until the settings change', error);
      void this.changes.run(() => this.stop());
    }
  }
}

function isSame(one: Destination, other: Destination): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Reports how long each start of a server took, and how it ended. */
function followServerStarts(
  servers: McpServers,
  now: () => number,
  started: (outcome: string, ms: number) => void,
): void {
  const starting = new Map<string, number>();
  servers.onDidChange(() => {
    for (const { name, state } of servers.statuses) {
      const since = starting.get(name);
      if (state.kind === 'starting') starting.set(name, since ?? now());
      else if (since !== undefined) {
        starting.delete(name);
        started(state.kind, now() - since);
      }
    }
  });
}
