import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type {
  AgentEvent,
  AgentEventBody,
  ToolDisplay,
  ToolResponseEvent,
} from '../../../../extension/protocol/agent/agent-event.ts';
import { type ContentPart, textPart } from '../../../../extension/protocol/agent/content-part.ts';
import { exportJson, exportMarkdown } from '../../../../extension/sessions/export/export-session.ts';
import type { SessionHeader, SessionRecord } from '../../../../extension/sessions/session-record.ts';
import { repoRoot } from '../../../support/repo.ts';

const SECRET = 'correct-horse';

describe('An exported session', () => {
  it('is a document that reads like the conversation', () => {
    const golden = readFileSync(join(repoRoot, 'test/fixtures/sessions/exported.md'), 'utf8');
    assert.equal(markdown(CONVERSATION), golden);
  });

  it('has a block around a result that no result can end', () => {
    const text = markdown([...tool('1', 'cat', { result: { type: 'text', text: 'a\n````\nb' } })]);
    assert.match(text, /\n`{5}\na\n````\nb\n`{5}\n/);
  });

  it('continues in words after an answer that broke off in a block', () => {
    const text = markdown([said('```ts\nconst a'), { type: 'agent_end', reason: 'aborted' }]);
    assert.match(text, /```ts\nconst a\n```\n\n> Stopped\n/);
  });

  it('has no secret in it, in Markdown and in JSON', () => {
    const hidden = 'PASSWORD=hunter2';
    const diff: ToolDisplay = { result: { type: 'diff', beforeText: '', afterText: `${hidden}\n${SECRET}` } };
    const events = [asked(hidden), thought(hidden), said(SECRET), ...tool('1', 'edit', diff), failed(SECRET)];
    assert.doesNotMatch(markdown(events), /hunter2|correct-horse/);
    const record: SessionRecord = { type: 'title', title: hidden, by: 'user', at: HEADER.at };
    assert.doesNotMatch(
      exportJson({ header: HEADER, title: SECRET, records: [record] }, [SECRET]),
      /hunter2|correct-horse/,
    );
  });

  it('as JSON names the session and has its records', () => {
    const record: SessionRecord = {
      type: 'run_ended',
      reason: 'failed',
      data: { apiKey: 'x1', mode: 'ask' },
      at: HEADER.at,
    };
    assert.deepEqual(JSON.parse(exportJson({ header: HEADER, title: 'T', records: [record] })), {
      version: 1,
      session: { id: 's1', title: 'T', workspace: '/work/app', createdAt: HEADER.at },
      records: [{ ...record, data: { apiKey: '[redacted]', mode: 'ask' } }],
    });
  });
});

const HEADER: SessionHeader = {
  type: 'session',
  version: 1,
  id: 's1',
  workspace: '/work/app',
  at: '2026-03-01T10:00:00.000Z',
};

const CONVERSATION: readonly AgentEventBody[] = [
  { type: 'session_update', model: 'gemini-3-pro' },
  asked('Rename `a` to `b`, please.', { type: 'media', mimeType: 'image/png', data: 'AA==' }),
  { type: 'agent_start' },
  thought('I should look </details> first.'),
  said('I will look at it.'),
  ...tool('1', 'read_file', { name: 'ReadFile', description: 'src/app.ts', resultSummary: '1–12' }),
  ...tool('2', 'replace', { name: 'Edit', description: 'src/app.ts', result: { type: 'diff', ...changedFile() } }),
  ...tool('3', 'shell', { description: 'npm test', result: { type: 'text', text: `ok\nAPI_KEY=${SECRET}\n` } }),
  ...tool('4', 'shell', { description: 'echo `date`', result: { type: 'terminal', ansi: '\u001b[31mred\u001b[0m' } }),
  ...tool('5', 'read_file', { description: 'gone.ts' }, { isError: true, content: [textPart('No such file')] }),
  said('Done:\n\n## Result\n\n- `b` everywhere'),
  { type: 'usage', model: 'gemini-3-pro', inputTokens: 10, outputTokens: 5 },
  { type: 'agent_end', reason: 'completed' },
  asked('And the docs?'),
  { type: 'agent_start' },
  said('Let me'),
  failed('Check the address.'),
  { type: 'agent_end', reason: 'failed' },
  asked('Again'),
  { type: 'agent_start' },
  { type: 'agent_end', reason: 'aborted' },
];

function changedFile(): { path: string; beforeText: string; afterText: string } {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  const after = lines.with(1, 'const b = 1;').toSpliced(9, 1);
  return { path: 'src/app.ts', beforeText: `${lines.join('\n')}\n`, afterText: `${after.join('\n')}\n` };
}

function markdown(bodies: readonly AgentEventBody[]): string {
  const events = bodies.map((body, index): AgentEvent => {
    const timestamp = new Date(index * 1000).toISOString();
    return { ...body, id: `s-${index}`, streamId: 's', timestamp } satisfies AgentEvent;
  });
  return exportMarkdown({ title: 'Rename a', workspace: '/work/app', createdAt: HEADER.at, events }, [SECRET]);
}

function asked(text: string, ...more: ContentPart[]): AgentEventBody {
  return { type: 'message', role: 'user', content: [textPart(text), ...more] };
}

function said(text: string): AgentEventBody {
  return { type: 'message', role: 'agent', content: [textPart(text)] };
}

function thought(text: string): AgentEventBody {
  return { type: 'message', role: 'agent', content: [{ type: 'thought', thought: text }] };
}

function tool(
  requestId: string,
  name: string,
  display: ToolDisplay,
  more: Partial<ToolResponseEvent> = {},
): AgentEventBody[] {
  return [
    { type: 'tool_request', requestId, name, args: {}, display },
    { type: 'tool_response', requestId, name, display, ...more },
  ];
}

function failed(detail: string): AgentEventBody {
  const problem = { kind: 'unreachable', title: 'The endpoint did not answer', detail, actions: [] } as const;
  return { type: 'error', status: 'UNAVAILABLE', message: detail, fatal: true, _meta: { problem } };
}
