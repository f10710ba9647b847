import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { readReplay } from '../../../extension/protocol/transcript/replay.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import { entrySchema } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message, outline } from '../../support/conversation.ts';

const AT = new Date(0).toISOString();
const TALK = [
  { type: 'session', version: 1, id: 'hostile', workspace: '' },
  {
    type: 'sent',
    streamId: 's',
    event: { id: 'm', author: 'user', content: { role: 'user', parts: [{ text: 'Hi' }] } },
  },
  { type: 'run_started' },
  { type: 'event', event: said([{ text: 'Hello' }], 'a') },
  { type: 'run_ended', reason: 'completed' },
];

/** Right types of records, with something wrong inside. */
const LINES: Readonly<Record<string, object>> = {
  'parts that are text': { type: 'event', event: said('x') },
  'parts that are a number': { type: 'event', event: said(5) },
  'no part': { type: 'event', event: said([null]) },
  'a text that is a number': { type: 'event', event: said([{ text: 5 }]) },
  'a call that is text': { type: 'event', event: said([{ functionCall: 'x' }]) },
  'a call without a proper name and arguments': {
    type: 'event',
    event: said([{ functionCall: { name: 5, args: null } }]),
  },
  'a call named like a property': {
    type: 'event',
    event: said([{ functionCall: { id: 'constructor' } }]),
    displays: {},
  },
  'content that is text': { type: 'event', event: { id: 'e', author: 'gantry', content: 'x' } },
  'a role that is a number': { type: 'event', event: { id: 'e', content: { role: 7, parts: [{ text: 'x' }] } } },
  'state that is text': { type: 'event', event: { ...said([{ text: 'x' }]), actions: { stateDelta: 'x' } } },
  'huge numbers': { type: 'event', event: { ...said([{ text: 'x' }]), usageMetadata: { promptTokenCount: 1e308 } } },
  'a problem that is text': { type: 'event', event: { id: 'e', errorCode: 'x', customMetadata: { problem: 'x' } } },
  'an empty problem': { type: 'problem', problem: {}, fatal: true },
  'a message of no shape': { type: 'sent', streamId: 't', event: { id: 'n', author: 'user', content: { parts: 'x' } } },
  'a result of no shape': {
    type: 'tool_finished',
    call: { id: 'c', name: 'look', args: {} },
    state: 'error',
    result: { content: 5, error: 'x' },
    display: { description: 5 },
  },
  'a time that is none': { type: 'run_started', at: 'yesterday' },
  'a rewind to nowhere': { type: 'rewind', id: 'r', messageId: 'nowhere', what: 'both' },
  'a title that is a number': { type: 'title', title: 5, by: 'user' },
};

describe('A log that somebody tampered with', () => {
  const agent = useAgent();

  for (const [name, line] of Object.entries(LINES)) {
    it(`opens, shows and continues with ${name}`, async () => {
      await mkdir(join(agent.sessions, 'hostile'));
      const text = [...TALK, line].map((record) => `${JSON.stringify({ at: AT, ...record })}\n`).join('');
      await writeFile(join(agent.sessions, 'hostile', 'log.jsonl'), text);
      const service = agent.open();
      const session = await service.resumeSession('hostile');
      agent.endpoint.reply('Fine.');
      assert.equal(outline(await all(session, message('On'))).at(-1), 'agent_end completed');
      const transcript = new Transcript();
      for (const event of session.events) transcript.apply(event);
      for (const entry of transcript.entries) entrySchema.parse(JSON.parse(JSON.stringify(entry)));
      for (const format of ['markdown', 'json'] as const) await service.library?.export('hostile', format);
      readReplay(JSON.stringify(await service.library?.replay('hostile')));
      assert.equal((await service.library?.list())?.[0]?.problem, undefined);
    });
  }
});

function said(parts: unknown, id = 'e'): object {
  return { id, author: 'gantry', content: { role: 'model', parts } };
}
