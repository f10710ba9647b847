import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from '@google/genai';
import type { AgentService } from '../../extension/runtime/agent-service.ts';
import type { SessionJournal } from '../../extension/sessions/session-journal.ts';
import { all, message } from '../support/conversation.ts';
import { SdkClient } from '../support/gemini/sdk.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { CONVERSATION_FILES } from './conversation.ts';
import { pastTurn } from './past-turn.ts';
import { type ForkedModel, forkModel } from './processes.ts';
import { MODEL, productionRuntime } from './production-runtime.ts';

/** The same conversation twice: a bare SDK loop, and a stored session of the production bundle. */
export interface Loops {
  /** By default two requests with a file read between them, and an answer in 100 chunks. */
  bareTurn(): Promise<void>;
  gantryTurn(): Promise<void>;
  /** Gives both the same past, as if they had had this many turns. */
  fill(turns: number): Promise<void>;
  dispose(): Promise<void>;
}

export async function startLoops(model?: ForkedModel): Promise<Loops> {
  const { url, child } = model ?? (await forkModel('endpoint'));
  const workspace = await createTempWorkspace({ ...CONVERSATION_FILES, 'a.txt': 'alpha\n'.repeat(200) });
  const sessions = await tempFolder('bench-sessions');
  const path = join(workspace.path, 'a.txt');

  const sdk = new SdkClient(url, { model: MODEL });
  const history: Content[] = [];

  const service = productionRuntime({ url, workspace: workspace.path, sessions: sessions.path });
  const session = await service.createSession();
  const journal = onlyJournal(service);

  return {
    bareTurn: async () => {
      const text = await sdk.turn(history, 'Read it', () => ({ output: readFileSync(path, 'utf8') }));
      // As one part, not one per chunk: the history of the other loop has it so, and requests are to be alike.
      history.splice(-1, 1, { role: 'model', parts: [{ text }] });
    },
    gantryTurn: async () => {
      const end = (await all(session, message('Read it'))).at(-1);
      if (end?.type !== 'agent_end' || end.reason !== 'completed') {
        throw new Error(`A turn ended with ${JSON.stringify(end)}`);
      }
    },
    fill: async (turns) => {
      for (let turn = 0; turn < turns; turn++) {
        const past = pastTurn(turn, readFileSync(path, 'utf8'));
        for (const record of past.records) journal.append(record);
        history.push(...past.contents);
      }
      await journal.synced();
    },
    dispose: async () => {
      child.disconnect();
      await service.dispose();
      await workspace.dispose();
      await sessions.dispose();
    },
  };
}

/** Of the one session that a service has: past a session's own doors, to write a past without living through it. */
export function onlyJournal(service: AgentService): SessionJournal {
  const [live] = service['live'].values();
  if (!live) throw new Error('The service has no session.');
  return live.journal;
}
