import type { InvocationContext, LlmRequest } from '@google/adk';
import type { Content } from '@google/genai';
import { ToolOutputMaskingProcessor } from '../../extension/runtime/request/masking-processor.ts';
import { SavedOutputs } from '../../extension/runtime/request/saved-outputs.ts';
import { SessionContext } from '../../extension/runtime/request/session-context.ts';
import { newNamingKey } from '../../extension/safety/placeholder.ts';
import { RequestCleaner } from '../../extension/safety/request-cleaner.ts';
import { SessionHistory } from '../../extension/sessions/session-history.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';
import { pastTurn } from './past-turn.ts';
import { median } from './statistics.ts';

export interface PipelineCost {
  /** Milliseconds of processor time for the first request of a process, and for one more of a conversation that goes on. */
  readonly first: number;
  readonly next: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

const REQUESTS = 20;
/** As long as many files are. */
const OUTPUT = 'export const alpha = compute(beta, 42);\n'.repeat(100);

/** What masking, cleaning, estimating and fitting cost a request whose history has so many events, and what they save. */
export async function measurePipeline(events: number): Promise<PipelineCost> {
  const folder = await tempFolder('bench-pipeline');
  try {
    const { log } = testHost();
    const processor = new ToolOutputMaskingProcessor(new SavedOutputs(folder.path, log), log, () => undefined);
    const context = new SessionContext({
      history: new SessionHistory(),
      model: () => 'bench',
      windowOf: () => 1_000_000_000,
    });
    const cleaner = new RequestCleaner({ key: newNamingKey(), own: [], redacts: true });
    const history: Content[] = [];
    const grow = (): void => void history.push(...pastTurn(history.length, OUTPUT).contents);
    while (history.length < events) grow();
    const pass = async (): Promise<readonly [number, Content[]]> => {
      const request = { contents: [...history, { role: 'user', parts: [{ text: 'Go on' }] }] } as LlmRequest;
      const start = process.cpuUsage();
      for await (const _ of processor.runAsync({} as InvocationContext, request));
      const { contents } = cleaner.clean(request);
      context.fit('bench', contents, undefined);
      const { user, system } = process.cpuUsage(start);
      return [(user + system) / 1000, request.contents];
    };
    const [first] = await pass();
    const times: number[] = [];
    let sent: Content[] = [];
    for (let count = 0; count < REQUESTS; count++) {
      grow();
      const [time, contents] = await pass();
      times.push(time);
      sent = contents;
    }
    return { first, next: median(times), bytesBefore: bytesOf(history), bytesAfter: bytesOf(sent) };
  } finally {
    await folder.dispose();
  }
}

function bytesOf(contents: readonly Content[]): number {
  return Buffer.byteLength(JSON.stringify(contents));
}
