import type { AgentService } from '../../extension/runtime/agent-service.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { onlyJournal } from './loops.ts';
import { EVENTS_PER_TURN, pastTurn } from './past-turn.ts';
import { forkModel, result } from './processes.ts';
import { productionRuntime } from './production-runtime.ts';
import { median, milliseconds, percentile } from './statistics.ts';

export interface AppendCost {
  readonly p50: number;
  readonly p99: number;
}

/** Microseconds until a record is with the operating system and everybody knows of it. */
export async function measureAppend(bytes: number, records: number): Promise<AppendCost> {
  return withFolders(async (open) => {
    const service = open();
    await service.createSession();
    const journal = onlyJournal(service);
    const title = 'x'.repeat(bytes - 80);
    journal.append({ type: 'sent', streamId: 'bench' });
    const times: number[] = [];
    for (let count = 0; count < records; count++) {
      const start = performance.now();
      // Any type but `delta`: those wait for the others of their tick.
      journal.append({ type: 'title', title, by: 'user' });
      times.push((performance.now() - start) * 1000);
      // As between the chunks of an answer: what is synced in the background gets its turn.
      if (count % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
    }
    await service.dispose();
    return { p50: percentile(times, 50), p99: percentile(times, 99) };
  });
}

export interface ResumeCost {
  /** In a process that does it for the first time, and in one that has done it before. */
  readonly cold: number;
  readonly warm: number;
  /** The longest time in which nothing else can run while the first request after a cold resume is prepared and answered. */
  readonly blocked: number;
}

const RESUMES = 7;

/** Milliseconds until a stored session is there with all its events. */
export async function measureResume(wanted: number): Promise<ResumeCost> {
  return withFolders(async (open, sessions) => {
    const writer = open();
    await writer.createSession();
    const journal = onlyJournal(writer);
    for (let turn = 0; turn * EVENTS_PER_TURN < wanted; turn++) {
      for (const record of pastTurn(turn, 'alpha\n'.repeat(200)).records) journal.append(record);
    }
    await writer.dispose();
    const cold: number[] = [];
    const warm: number[] = [];
    const blocked: number[] = [];
    const model = await forkModel('model-server', '0');
    for (let round = 0; round < RESUMES; round++) {
      const child = await result('resume-once', model.url, sessions, journal.id);
      cold.push(child['resumed'] ?? Number.NaN);
      blocked.push(child['blocked'] ?? Number.NaN);
      const service = open();
      warm.push(await milliseconds(() => service.resumeSession(journal.id)));
      await service.dispose();
    }
    model.child.disconnect();
    return { cold: median(cold), warm: median(warm), blocked: median(blocked) };
  });
}

async function withFolders<T>(work: (open: () => AgentService, sessions: string) => Promise<T>): Promise<T> {
  const workspace = await createTempWorkspace();
  const sessions = await tempFolder('bench-sessions');
  try {
    return await work(
      () => productionRuntime({ url: '', workspace: workspace.path, sessions: sessions.path }),
      sessions.path,
    );
  } finally {
    await workspace.dispose();
    await sessions.dispose();
  }
}
