import type { ApprovalRequest } from '../../../extension/protocol/agent/approval.ts';
import type { RewindPreview, SessionItem } from '../../../extension/protocol/panel/sheets-to-panel.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { answered, asking, noted, said, thought, tool } from './entries.ts';

/** The time of every scene. */
export const NOON = Date.UTC(2026, 0, 2, 12);
const HOUR = 3_600_000;

const PATCH = [
  '@@ -21,7 +21,8 @@ export async function withRetry<T>(',
  ' export async function withRetry<T>(work: () => Promise<T>): Promise<T> {',
  '   for (let attempt = 1; ; attempt++) {',
  '     try {',
  '-      return await work();',
  '+      const result = await work();',
  '+      return result;',
  '     } catch (error) {',
  '       await wait(attempt);',
].join('\n');

const ANSWER = [
  'The test waits for **real time**: `withRetry` adds jitter, so four tries take 4.0 to 5.2 s, and the limit is 5 s. See [retry.ts:41](src/net/retry.ts:41).',
  '| attempt | waits |\n|---|--:|\n| 2 | 0.5 s |\n| 3 | 1.0 s |',
  '- [x] find the slow wait\n- [ ] use fake timers',
  '```ts test/upload.test.ts\nvi.useFakeTimers();\nconst done = upload(part); // never waits\nawait vi.runAllTimersAsync();\n```',
  '> Jitter keeps clients from trying again all at once.',
].join('\n\n');

/** A card of every kind, as in an afternoon of work. */
export const WORK: readonly Entry[] = [
  said('Why is the upload retry test flaky? Fix it, and keep the jitter.', {
    id: 'm1',
    at: NOON - HOUR,
    attachments: [{ id: 'a', kind: 'file', label: 'upload.test.ts', path: 'test/upload.test.ts' }],
    editor: 'retry.ts:22-58',
  }),
  thought('**Reading the retries**\n\nThe limit may be too short for the jitter.', { seconds: 6 }),
  tool('read_file', { subject: 'src/net/retry.ts', summary: '1–118', detail: 'export const LIMIT = 4;' }),
  tool('grep_search', {
    id: 'search',
    subject: "'withRetry'",
    summary: '3 matches in 2 files',
    detail:
      'Found 3 matches in 2 files.\n---\nFile: src/net/upload.ts\nL31:   return withRetry(() => put(part));\nL48:   await withRetry(close);\n---\nFile: test/upload.test.ts\nL12:   const call = withRetry(fails);\n---',
  }),
  tool('google_web_search', {
    subject: 'fake timers and promises',
    summary: '2 sources',
    detail: '[1] Timer mocks (https://vitest.dev/guide/mocking)\n[2] Fake timers (https://example.com)',
  }),
  tool('mcp_tracker_find_issue', { subject: 'flaky upload', summary: '1 issue' }),
  tool('replace', { id: 'edit', subject: 'src/net/retry.ts', summary: '+2 −1', patch: PATCH }),
  tool('run_shell_command', {
    id: 'run',
    subject: 'npm test -- upload',
    summary: 'exit 1',
    detail: 'FAIL test/upload.test.ts\n1 failing',
    command: { state: 'ended', durationMs: 5200 },
  }),
  tool('invoke_agent', {
    id: 'agent',
    subject: 'Find other tests that wait for real time',
    agent: {
      threadId: 't',
      name: 'test-reader',
      turns: 4,
      maxTurns: 15,
      tokens: 21_000,
      model: 'gemini-2.5-flash',
      earlier: 2,
      steps: [{ id: 's', name: 'read_file', subject: 'test/poll.test.ts', summary: '1–80', status: 'success' }],
      words: 'Two more tests wait for the clock.',
      thoughts: '',
      waits: false,
    },
  }),
  tool('write_file', { subject: 'src/net/limits.ts', status: 'cancelled', rejected: 'Keep the limit where it is.' }),
  answered(ANSWER, { id: 'answer' }),
  {
    kind: 'usage',
    id: 'usage',
    inputTokens: 38_200,
    outputTokens: 1100,
    seconds: 14,
    cost: { amount: 0.03, currency: 'USD' },
    at: NOON,
  },
  {
    kind: 'compacted',
    id: 'compacted',
    trigger: 'auto',
    at: NOON,
    tokensBefore: 500_000,
    tokensAfter: 40_000,
    summary: 'A summary.',
  },
  said('Now the other two.', { id: 'm2', at: NOON }),
  tool('run_shell_command', {
    id: 'live',
    subject: 'npm test -- poll',
    status: 'running',
    detail: '> test\n> vitest run poll\n\n RUN  v3.2.4\n\n ✓ test/poll.test.ts (4 tests)',
    command: { state: 'running', startedAt: NOON - 8000 },
  }),
  answered('The first of them waits', { id: 'writing', state: 'streaming' }),
];

const asked = (
  id: string,
  name: string,
  title: string,
  details: ApprovalRequest['details'],
  request: Partial<ApprovalRequest> = {},
): Entry =>
  asking(name, id, {
    id,
    approval: {
      requestId: `ask-${id}`,
      title,
      message: id,
      decisions: ['once', 'session', 'always'],
      request: { details, why: 'Edits ask in Default mode. Rule write.toml:11 (shipped)', grants: [], ...request },
    },
  });

/** Pending approvals: a change and a command. */
export const ASKS: readonly Entry[] = [
  said('Fix it, then run the tests.', { id: 'm1', at: NOON }),
  asked(
    'edit',
    'replace',
    'Edit src/net/retry.ts?',
    { type: 'edit', files: [{ path: 'src/net/retry.ts', isNew: false, patch: PATCH, added: 2, removed: 1 }] },
    { grants: [{ id: 'src', label: 'src', covers: 'edits below src/net' }] },
  ),
  asked(
    'exec',
    'run_shell_command',
    'Run this command?',
    {
      type: 'exec',
      command: 'npm test -- upload --retry=3 | tee out.txt',
      folder: '/work/app',
      reason: 'To see it fail',
    },
    {
      why: 'No rule allows `tee`. Rule shell.toml:4 (shipped)',
      grants: [
        { id: 'exact', label: 'npm test', covers: 'exactly this command' },
        { id: 'npm', label: 'npm', covers: 'every npm command' },
      ],
    },
  ),
];

/** A plan to approve, and questions to answer. */
export const PLAN: readonly Entry[] = [
  said('Plan the move to streams.', { id: 'm1', at: NOON }),
  asked('questions', 'ask_user', 'Gantry asks', {
    type: 'ask_user',
    questions: [
      {
        question: 'Which runtime has to work?',
        header: 'Runtime',
        type: 'choice',
        options: [
          { label: 'Node 20', description: 'Streams are built in' },
          { label: 'Node 18', description: 'Needs a package' },
        ],
      },
      { question: 'What must not change?', header: 'Keep', type: 'text', placeholder: 'The public API' },
    ],
  }),
  asked('plan', 'exit_plan_mode', 'Carry out this plan?', {
    type: 'plan',
    path: 'plan.md',
    text: '# Uploads as streams\n\n1. Read parts as a stream\n2. Retry from the last offset\n3. Remove `Buffer.concat`\n\nTouches `src/net/upload.ts` and its test.',
  }),
];

/** Failures as they appear in a conversation. */
export const TROUBLE: readonly Entry[] = [
  said('Go on', { id: 'm1', at: NOON }),
  tool('read_file', { subject: 'secrets/.env', status: 'error', summary: 'Protected: it may hold secrets' }),
  answered('The parts are read in order, but', { id: 'half', state: 'interrupted' }),
  noted('Stopped by you', { icon: 'stop' }),
  {
    kind: 'retry',
    id: 'retry',
    why: 'gemini-2.5-pro is over its limit for this minute',
    until: NOON + 42_000,
    attempt: 2,
    attempts: 5,
  },
  {
    kind: 'choice',
    id: 'choice',
    title: 'gemini-2.5-pro does not answer',
    message: 'It may be over its limit until tomorrow.',
    options: [
      { decision: 'retry_once', label: 'Switch to gemini-2.5-flash for this turn' },
      { decision: 'retry_always', label: 'Keep trying' },
    ],
  },
  {
    kind: 'problem',
    id: 'problem',
    problem: {
      kind: 'network',
      title: 'The connection broke in the middle of the answer',
      detail: 'What arrived is kept above.',
      actions: ['retry', 'switch-model', 'show-log'],
    },
  },
];

const session = (title: string, more: Partial<SessionItem> = {}): SessionItem => ({
  id: title.toLowerCase().replaceAll(' ', '-'),
  title,
  updatedAt: NOON - 60_000,
  messages: 6,
  pinned: false,
  current: false,
  ...more,
});

export const SESSIONS: SessionItem[] = [
  session('Release checklist', { pinned: true, updatedAt: NOON - 72 * HOUR, messages: 22 }),
  session('Flaky upload retry test', { tag: 'needsYou' }),
  session('Move uploads to streams', { tag: 'running', updatedAt: NOON, current: true }),
  session('Explain the checksum module', { tag: 'newAnswer', messages: 2 }),
  session('Rename Part to Chunk', { tag: 'otherWindow', updatedAt: NOON - 30 * HOUR }),
  session('Generate API docs', { tag: 'stopped', why: 'The API key was refused', updatedAt: NOON - 60 * HOUR }),
  session('Streams, second try', { forkOf: 'Move uploads to streams', updatedAt: NOON - 90 * HOUR }),
  session('Ferry timetable', { elsewhere: 'ferry-api', updatedAt: NOON - 99 * HOUR }),
];

export const REWIND: RewindPreview = {
  messageId: 'm2',
  text: 'Now the other two.',
  at: NOON,
  turn: 2,
  turns: 3,
  calls: 17,
  grants: ['npm test'],
  files: [
    {
      path: '/w/src/net/upload.ts',
      label: 'src/net/upload.ts',
      kind: 'restore',
      removes: false,
      lines: { added: 18, removed: 31 },
    },
    {
      path: '/w/src/net/offset.ts',
      label: 'src/net/offset.ts',
      kind: 'remove',
      removes: true,
      lines: { added: 0, removed: 44 },
    },
    {
      path: '/w/test/upload.test.ts',
      label: 'test/upload.test.ts',
      kind: 'changed',
      removes: false,
      lines: { added: 2, removed: 1 },
    },
  ],
  commands: ['npm install tus-js-client'],
};
