import { getFunctionCalls, getFunctionResponses } from '@google/adk';
import { z } from 'zod';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { PolicyEnforcementPlugin } from '../../extension/runtime/plugins/create-plugins.ts';
import { LoopDetectionPlugin } from '../../extension/runtime/plugins/loop-detection-plugin.ts';
import { Scheduler } from '../../extension/scheduler/scheduler.ts';
import { SessionJournal } from '../../extension/sessions/session-journal.ts';
import { all, message, testTool } from '../support/conversation.ts';
import { call } from '../support/gemini/script.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';
import type { Figures } from './measurement.ts';
import { median, percentile } from './statistics.ts';

/** Milliseconds, from the stored event with the call to the stored event with its result, without the body. */
interface CallTimes {
  /** What plugins and scheduler do: loop detection, gates, rules, hooks, states, audit, and the check before ADK's tool. */
  own: number;
  /** Three records: written to the log before the call may go on, added to the history, and reported to the surfaces. */
  records: number;
  /** All of it. The rest is ADK, which hands over the call and makes the event with the result. */
  together: number;
}

export interface CallOverhead {
  /** Of plugins and scheduler. */
  readonly own: Figures;
  /** Of everything, with the medians of its parts. */
  readonly together: Figures;
}

/** A session compiles most of this code while it is used, so the first calls take longer. */
const WARM_UP = 20;
const ROUNDS = 8;
const MESSAGES = 4;
/** A run with more calls would also be looked at by another model, in search of loops. */
const CALLS = 25;

/**
 * What a call takes besides its body. The quietest of several rounds counts, because other programs can only make it
 * longer.
 */
export async function measureCallOverhead(): Promise<CallOverhead> {
  const folder = await tempFolder('bench-call');
  const endpoint = await startGeminiEndpoint();
  const watch = new Watch();
  const look = {
    ...testTool('look', 'read', () => watch.body({ content: 'seen' })),
    schema: z.strictObject({ at: z.int() }),
  };
  const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
  const host = testHost({ environment, sessions: folder.path, roots: [folder.path] });
  const service = new AgentService(host, () => [look]);
  const restore = watch.begin();
  try {
    const session = await service.createSession();
    const round = async (messages: number): Promise<readonly CallTimes[]> => {
      watch.times.length = 0;
      for (let sent = 0; sent < messages; sent++) {
        for (let at = 0; at < CALLS; at++) endpoint.reply(call('look', { at }));
        endpoint.reply('Done');
        await all(session, message('Look'));
      }
      if (watch.times.length !== messages * CALLS) throw new Error(`${watch.times.length} calls were run.`);
      return [...watch.times];
    };
    await round(WARM_UP);
    const rounds: CallOverhead[] = [];
    for (let count = 0; count < ROUNDS; count++) rounds.push(figuresOf(await round(MESSAGES)));
    return rounds.reduce((quietest, each) => (p95(each) < p95(quietest) ? each : quietest));
  } finally {
    restore();
    await service.dispose();
    await endpoint.dispose();
    await folder.dispose();
  }
}

function figuresOf(times: readonly CallTimes[]): CallOverhead {
  const own = times.map((each) => each.own);
  const together = times.map((each) => each.together);
  return {
    own: { p50: median(own), p95: percentile(own, 95) },
    together: {
      p50: median(together),
      p95: percentile(together, 95),
      records: median(times.map(({ records }) => records)),
      ADK: median(times.map((each) => each.together - each.own - each.records)),
    },
  };
}

const p95 = ({ own, together }: CallOverhead): number => (own['p95'] ?? 0) + (together['p95'] ?? 0) / 1000;

/** Notes when a call passes from one part to the next. */
class Watch {
  readonly times: CallTimes[] = [];
  private now: CallTimes = { own: 0, records: 0, together: 0 };
  private began = 0;
  private ended = 0;

  body<Result>(result: Result): Promise<Result> {
    this.began = performance.now();
    this.now.own += this.began;
    this.now.together += this.began;
    this.ended = performance.now();
    this.now.own -= this.ended;
    this.now.together -= this.ended;
    return Promise.resolve(result);
  }

  /** Returns a function that ends it. */
  begin(): () => void {
    const append = SessionJournal.prototype.append;
    const { submit } = Scheduler.prototype;
    const finish = Scheduler.prototype['finish'];
    const { read } = LoopDetectionPlugin.prototype;
    const { beforeToolCallback } = PolicyEnforcementPlugin.prototype;
    const watch = this;
    SessionJournal.prototype.append = function (record): void {
      const from = performance.now();
      append.call(this, record);
      const to = performance.now();
      if (record.type === 'event' && getFunctionCalls(record.event).length > 0) watch.called(to);
      else watch.recorded(to - from, record.type !== 'event');
      if (record.type === 'event' && getFunctionResponses(record.event).length > 0) watch.responded(to);
    };
    Scheduler.prototype.submit = function (...given): void {
      if (given[0].length > 0) watch.now.own -= performance.now();
      submit.apply(this, given);
    };
    Scheduler.prototype['finish'] = function (...given: Parameters<typeof finish>) {
      const finished = finish.apply(this, given);
      watch.now.own += performance.now();
      return finished;
    };
    LoopDetectionPlugin.prototype.read = function (event) {
      const isOfCall = getFunctionCalls(event).length + getFunctionResponses(event).length > 0;
      return watch.of(isOfCall, () => read.call(this, event));
    };
    PolicyEnforcementPlugin.prototype.beforeToolCallback = function (given) {
      return watch.of(true, () => beforeToolCallback.call(this, given));
    };
    return () => {
      SessionJournal.prototype.append = append;
      Object.assign(Scheduler.prototype, { submit, finish });
      LoopDetectionPlugin.prototype.read = read;
      PolicyEnforcementPlugin.prototype.beforeToolCallback = beforeToolCallback;
    };
  }

  private called(at: number): void {
    this.now = { own: 0, records: 0, together: -at };
  }

  private recorded(ms: number, isOfScheduler: boolean): void {
    this.now.records += ms;
    if (isOfScheduler) this.now.own -= ms;
  }

  private responded(at: number): void {
    this.now.together += at;
    this.times.push(this.now);
  }

  private async of<Result>(counts: boolean, work: () => Promise<Result>): Promise<Result> {
    const from = performance.now();
    const result = await work();
    if (counts) this.now.own += performance.now() - from;
    return result;
  }
}
