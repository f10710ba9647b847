import { getFunctionCalls, getFunctionResponses } from '@google/adk';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { all, message, testTool } from '../support/conversation.ts';
import { call } from '../support/gemini/script.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';
import { onlyJournal } from './loops.ts';
import { median, percentile } from './statistics.ts';

export interface CallOverhead {
  /** Milliseconds per call, in the quietest round. */
  readonly p50: number;
  readonly p95: number;
}

const WARM_UP = 50;
const ROUNDS = 5;
const CALLS = 100;

/**
 * What plugins and scheduler add to a call: from the stored event with the call to the body, and from the end of the body
 * to the stored event with its result. Gates, rules and the records of the call are included. The quietest of several
 * rounds counts, because other programs can only make it longer.
 */
export async function measureCallOverhead(): Promise<CallOverhead> {
  const folder = await tempFolder('bench-call');
  const endpoint = await startGeminiEndpoint();
  let [called, began, ended] = [0, 0, 0];
  const look = testTool('look', 'read', () => {
    began = performance.now();
    const result = { content: 'seen' };
    ended = performance.now();
    return Promise.resolve(result);
  });
  const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
  const host = testHost({ environment, sessions: folder.path, roots: [folder.path], loopDetection: false });
  const service = new AgentService(host, () => [look]);
  try {
    const session = await service.createSession();
    const times: number[] = [];
    onlyJournal(service).onRecord((record) => {
      if (record.type !== 'event') return;
      if (getFunctionCalls(record.event).length > 0) called = performance.now();
      if (getFunctionResponses(record.event).length > 0) times.push(began - called + performance.now() - ended);
    });
    const round = async (calls: number): Promise<readonly number[]> => {
      times.length = 0;
      for (let count = 0; count < calls; count++) endpoint.reply(call('look'));
      endpoint.reply('Done');
      await all(session, message('Look'));
      if (times.length !== calls) throw new Error(`${times.length} of ${calls} calls were run.`);
      return [...times];
    };
    await round(WARM_UP);
    const rounds: CallOverhead[] = [];
    for (let count = 0; count < ROUNDS; count++) {
      const figures = await round(CALLS);
      rounds.push({ p50: median(figures), p95: percentile(figures, 95) });
    }
    return rounds.reduce((quietest, each) => (each.p95 < quietest.p95 ? each : quietest));
  } finally {
    await service.dispose();
    await endpoint.dispose();
    await folder.dispose();
  }
}
