import { createEvent } from '@google/adk';
import { ProgramVersions } from '../../extension/processes/program-version.ts';
import { SessionEnvironment } from '../../extension/runtime/knowledge/session-environment.ts';
import { SessionHistory } from '../../extension/sessions/session-history.ts';
import { createTempRepository } from '../support/git-repository.ts';
import { testHost } from '../support/test-host.ts';
import { pastTurn } from './past-turn.ts';
import { median } from './statistics.ts';

export interface EnvironmentCost {
  /** Milliseconds of this process for the first description, without the programs that it asks. */
  readonly first: number;
  /** For the question at every step whether there is something to tell. */
  readonly step: number;
}

const REPEATED = 20;

/** What it costs to tell a model about the machine and a project of 300 files, in a conversation of so many events. */
export async function measureEnvironment(events: number): Promise<EnvironmentCost> {
  const names = Array.from({ length: 300 }, (_, at) => `src/part-${at % 20}/file-${at}.ts`);
  const manifest = JSON.stringify({ scripts: { test: 'x', build: 'y' } });
  const files = { 'package.json': manifest, ...Object.fromEntries(names.map((name) => [name, ''])) };
  const repository = await createTempRepository(files);
  const history = new SessionHistory();
  const { PATH = '' } = process.env;
  const host = testHost({
    roots: [repository.path],
    environment: { PATH },
    sendsEnvironment: true,
    alarm: () => () => undefined,
  });
  const environment = new SessionEnvironment({
    host,
    history,
    versions: new ProgramVersions(Date.now),
    leader: () => undefined,
  });
  try {
    const first = await processorTime(() => environment.look());
    const at = new Date(0).toISOString();
    for (const event of environment.news()) history.take({ type: 'event', at, event });
    for (let turn = 0; history.events.length < events; turn++) {
      for (const content of pastTurn(turn, 'Read.').contents)
        history.take({ type: 'event', at, event: createEvent({ author: 'gantry', content }) });
    }
    const steps: number[] = [];
    for (let count = 0; count < REPEATED; count++) steps.push(await processorTime(() => environment.news()));
    return { first, step: median(steps) };
  } finally {
    environment.dispose();
    await repository.dispose();
  }
}

async function processorTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
