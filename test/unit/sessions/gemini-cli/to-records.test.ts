import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '@google/adk';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { HistoryContents } from '../../../../extension/runtime/request/history-contents.ts';
import { NO_RESULT } from '../../../../extension/sessions/gemini-cli/call.ts';
import { readGeminiRecording } from '../../../../extension/sessions/gemini-cli/recording.ts';
import { toRecords } from '../../../../extension/sessions/gemini-cli/to-records.ts';
import { parseRecord, type RecordOf, type SessionRecord } from '../../../../extension/sessions/session-record.ts';
import { historyError } from '../../../support/gemini/rules/contents.ts';
import { answered, RECORDED_AT, RecordingBuilder, toolCall } from '../../../support/gemini-cli.ts';
import { repoRoot } from '../../../support/repo.ts';

describe('An imported recording', () => {
  it('reads like a session of Gantry', () => {
    const golden = readFileSync(join(repoRoot, 'test/fixtures/sessions/imported-records.txt'), 'utf8');
    assert.equal(`${imported(wholeConversation()).map(outline).join('\n')}\n`, golden);
  });

  it('is made of records that the log takes', () => {
    for (const record of imported(wholeConversation())) {
      assert.equal(parseRecord(JSON.stringify(record)).kind, 'record', JSON.stringify(record));
    }
  });

  it('is a history that the API accepts', () => {
    assert.equal(historyError(historyOf(imported(wholeConversation()))), undefined);
  });

  it('is empty when nobody said anything', () => {
    const commands = new RecordingBuilder({ summary: 'Nothing' })
      .user('/help')
      .user('?')
      .user('  ')
      .message('info', 'x');
    assert.deepEqual(imported(commands.user('<session_context>…</session_context>')), []);
  });

  it('begins with the user also when the recording does not', () => {
    const records = imported(new RecordingBuilder().gemini('', { toolCalls: [toolCall('ls', { result: 'a.ts' })] }));
    assert.deepEqual(historyOf(records)[0], { role: 'user', parts: [{ text: 'The recording starts here.' }] });
    assert.equal(historyError(historyOf(records)), undefined);
  });

  it('answers every call, also one whose result was lost', () => {
    const toolCalls = [toolCall('ls', { status: 'executing' }), toolCall('ls', { result: 'b.ts' })];
    const [lost, known] = finished(imported(new RecordingBuilder().user('x').gemini('', { toolCalls })));
    assert.deepEqual([lost?.state, lost?.result.error?.message], ['cancelled', NO_RESULT]);
    assert.deepEqual([known?.state, known?.result.content], ['success', 'b.ts']);
  });

  it('gives each call an id of its own', () => {
    const toolCalls = [{ id: 'c', name: 'ls' }, { id: 'c', name: 'ls' }, { name: 'ls' }];
    const records = imported(new RecordingBuilder().user('x').gemini('', { toolCalls }).gemini('', { toolCalls }));
    const ids = finished(records).map(({ call }) => call.id);
    assert.deepEqual([ids[0], new Set(ids).size], ['c', 6]);
    assert.equal(historyError(historyOf(records)), undefined);
  });

  it('finds results in the turn behind the calls when the history was written back', () => {
    const call = (id: string): object => ({ functionCall: { id, name: 'ls', args: {} }, thoughtSignature: 'c2ln' });
    const builder = new RecordingBuilder().user('x');
    builder.gemini([{ text: 'Hm', thought: true }, call('a'), call('b')], { thoughts: [{ subject: 'Again' }] });
    builder.user([answered('b', 'ls', { output: 'B' }), answered('a', 'ls', { error: 'A' })]).gemini('Done');
    const records = imported(builder);
    assert.deepEqual(
      finished(records).map(({ call, state }) => `${call.id} ${state}`),
      ['a error', 'b success'],
    );
    assert.deepEqual(historyOf(records)[1]?.parts?.[1], call('a'));
    assert.deepEqual(
      historyOf(records).map(({ role }) => role),
      ['user', 'model', 'user', 'model'],
    );
  });

  it('picks its own response out of a turn that has several, and keeps an image once', () => {
    const image = { inlineData: { data: 'AA==', mimeType: 'image/png' } };
    const result = [answered('a', 'ls', { output: 'A' }), answered('b', 'ls', { output: 'B' }), image];
    const toolCalls = [toolCall('ls', { id: 'a', result }), toolCall('ls', { id: 'b', result })];
    const records = imported(new RecordingBuilder().user('x').gemini('', { toolCalls }));
    assert.deepEqual(historyOf(records)[2]?.parts, result);
    assert.deepEqual(finished(records)[1]?.result.content, 'B');
  });

  it('shows what a tool showed', () => {
    const diff = { filePath: '/w/a.ts', fileName: 'a.ts', originalContent: null, newContent: 'x\n', fileDiff: '' };
    const shown: readonly [unknown, unknown][] = [
      ['plain', { type: 'text', text: 'plain' }],
      [diff, { type: 'diff', path: '/w/a.ts', beforeText: '', afterText: 'x\n' }],
      [[[{ text: 'a', fg: '#f00' }, { text: 'b' }], [{ text: 'c' }]], { type: 'text', text: 'ab\nc' }],
      [{ todos: [{ description: 'Test', status: 'in_progress' }] }, { type: 'text', text: '[in progress] Test' }],
      [{ fileDiff: '@@ -1 +1 @@' }, { type: 'text', text: '@@ -1 +1 @@' }],
      [{ strange: true }, undefined],
    ];
    const toolCalls = shown.map(([resultDisplay]) => toolCall('t', { resultDisplay, result: '' }));
    const records = imported(new RecordingBuilder().user('x').gemini('', { toolCalls }));
    assert.deepEqual(
      finished(records).map(({ display }) => display.result),
      shown.map(([, result]) => result),
    );
  });

  it('has events in the order of their times, whatever the recording says', () => {
    const builder = new RecordingBuilder().user('x', { timestamp: '2099-01-01T00:00:00Z' });
    builder.gemini('y', { timestamp: '1969-01-01T00:00:00Z' }).user('z', { timestamp: 'soon' }).gemini('q');
    const times = eventsOf(imported(builder)).map(({ timestamp }) => timestamp);
    assert.deepEqual(
      times,
      [...new Set(times)].sort((a, b) => a - b),
    );
    assert.ok(times.every((time) => time <= NOW + times.length));
  });

  it('is an acceptable history whatever was recorded', () => {
    fc.assert(
      fc.property(fc.array(wildMessage, { maxLength: 8 }), (messages) => {
        const builder = new RecordingBuilder();
        for (const { type, content, toolCalls } of messages) builder.message(type, content, { toolCalls });
        const contents = historyOf(imported(builder));
        if (contents.length > 0) assert.equal(historyError(contents), undefined);
        assert.ok(contents.length === 0 || contents[0]?.role === 'user');
      }),
    );
  });
});

const NOW = RECORDED_AT + 3_600_000;
const anyId = fc.constantFrom(undefined, '', 'a', 'b');
const name = fc.constantFrom('ls', 'read_file');
const anyPart = fc.oneof(
  fc.constantFrom<unknown>({ text: '' }, { text: 'words' }, { text: 'Hm', thought: true }, {}, 'text', null),
  fc.record({ functionCall: fc.record({ id: anyId, name }, { requiredKeys: ['name'] }) }),
  fc.record({ functionResponse: fc.record({ id: anyId, name, response: fc.constant({ output: 'y' }) }) }),
);
const wildMessage = fc.record({
  type: fc.constantFrom('user', 'gemini', 'gemini', 'info'),
  content: fc.oneof(fc.constantFrom('', 'Hello', '/help'), fc.array(anyPart, { maxLength: 4 })),
  toolCalls: fc.array(fc.record({ id: anyId, name, result: fc.oneof(fc.constant(undefined), fc.array(anyPart)) })),
});

function wholeConversation(): RecordingBuilder {
  const diff = { filePath: 'a.ts', fileName: 'a.ts', originalContent: 'a\n', newContent: 'b\n' };
  const read = toolCall('read_file', {
    id: 'r1',
    args: { path: 'a.ts' },
    displayName: 'ReadFile',
    description: 'a.ts',
    result: [answered('r1', 'read_file', { output: 'a' })],
    resultDisplay: '',
  });
  const edit = toolCall('replace', { id: 'e1', displayName: 'Edit', result: 'Replaced.', resultDisplay: diff });
  const shell = toolCall('run_shell_command', {
    id: 's1',
    status: 'error',
    result: [answered('s1', '', { error: 'no' })],
  });
  const tokens = { input: 100, output: 20, cached: 50, thoughts: 5, tool: 0, total: 125 };
  return new RecordingBuilder({ summary: 'Change a.ts' })
    .user('<session_context>dates</session_context>')
    .user([{ text: 'Change a.ts\n--- a.ts ---\na' }], { displayContent: [{ text: 'Change @a.ts' }] })
    .message('info', 'Using the pro model')
    .gemini('I will look.', { thoughts: [{ subject: 'Look', description: 'First.' }], toolCalls: [read], tokens })
    .gemini('', { toolCalls: [edit, shell], model: 'gemini-3-flash' })
    .gemini('Done.', { model: 'gemini-3-flash' })
    .user('/compress')
    .user('Thanks')
    .message('error', 'The network is gone');
}

function imported(builder: RecordingBuilder): SessionRecord[] {
  const recording = readGeminiRecording(builder.text());
  assert.ok(!('problem' in recording));
  let ids = 0;
  return toRecords(recording, { newId: () => `id-${++ids}`, now: NOW });
}

function eventsOf(records: readonly SessionRecord[]): Event[] {
  return records.flatMap((record) =>
    (record.type === 'sent' || record.type === 'event') && record.event ? [record.event] : [],
  );
}

function historyOf(records: readonly SessionRecord[]): NonNullable<Event['content']>[] {
  const history = new HistoryContents({ agentName: 'gantry', branch: undefined, isolationScope: undefined });
  const contents = history.contents(eventsOf(records));
  assert.ok(contents);
  return contents;
}

function finished(records: readonly SessionRecord[]): RecordOf<'tool_finished'>[] {
  return records.filter((record) => record.type === 'tool_finished');
}

function outline(record: SessionRecord): string {
  const { at, type, ...rest } = record;
  const json = JSON.stringify(rest, (key, value: unknown) => (ADK_FIELDS.has(key) ? undefined : value));
  return `${at.slice(17, 23)} ${type} ${json}`;
}

/** What ADK puts into every event. */
const ADK_FIELDS: ReadonlySet<string> = new Set(['actions', 'longRunningToolIds', 'timestamp']);
