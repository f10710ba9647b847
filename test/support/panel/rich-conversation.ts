import type { ApprovalRequest } from '../../../extension/protocol/agent/approval.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { answered, asking, noted, said, thought, tool } from './entries.ts';

const NOON = Date.UTC(2026, 0, 2, 12);

const PATCH = '@@ -1,2 +1,2 @@\n-const high = 2;\n+const high = 3;\n const low = 1;\n';

/** Finished entries of every kind. */
export const RICH: readonly Entry[] = [
  said('Why does the upload fail?', {
    at: NOON,
    attachments: [{ id: 'a', kind: 'file', label: 'retry.ts', path: 'src/retry.ts' }],
    editor: 'upload.ts:10-20',
  }),
  thought('**Looking at the retries**\n\nThey may never end.'),
  tool('read_file', {
    subject: 'src/retry.ts',
    summary: '1–118',
    detail: 'export const high = 3;',
    at: NOON,
    tookMs: 40,
  }),
  tool('grep_search', {
    subject: 'withRetry',
    summary: '1 match in 1 file',
    detail: 'Found 1 match in 1 file.\n---\nFile: src/upload.ts\nL31:   return withRetry(() => put(part), {\n---',
  }),
  tool('replace', { subject: 'src/tides.ts', summary: '+1 −1', patch: PATCH }),
  tool('run_shell_command', {
    subject: 'npm test',
    summary: 'exit 1',
    status: 'error',
    detail: '1 failing',
    command: { state: 'ended', durationMs: 1200 },
  }),
  tool('google_web_search', {
    subject: 'fake timers',
    summary: '1 source',
    detail: '[1] Timer mocks (https://vitest.dev/guide/mocking)',
  }),
  tool('write_file', { subject: 'src/x.ts', status: 'cancelled', rejected: 'Use the other file.' }),
  answered(
    [
      '# What happens',
      'The **retries** never end, see [the guide](https://example.com) and `withRetry`.',
      '- [x] read\n- [ ] fix',
      '| name | value |\n|---|---|\n| high | 3 |',
      '> A quote',
      '```ts src/retry.ts\nexport const high = 3; // three\n```',
      '1. one\n2. two',
    ].join('\n\n'),
  ),
  {
    kind: 'usage',
    id: 'usage',
    inputTokens: 38_200,
    outputTokens: 1100,
    seconds: 14,
    cost: { amount: 0.03, currency: 'USD' },
    at: NOON,
  },
  noted('Stopped', { icon: 'stop', canContinue: true }),
  {
    kind: 'compacted',
    id: 'compacted',
    trigger: 'auto',
    at: NOON,
    tokensBefore: 500_000,
    tokensAfter: 40_000,
    summary: 'A summary.',
  },
  {
    kind: 'problem',
    id: 'problem',
    problem: {
      kind: 'network',
      title: 'The model cannot be reached',
      detail: 'Nothing was lost.',
      actions: ['retry', 'switch-model', 'show-log'],
    },
  },
];

const ask = (id: string, name: string, details: ApprovalRequest['details']): Entry =>
  asking(name, id, {
    id,
    approval: {
      requestId: `ask-${id}`,
      title: 'Allow this?',
      message: id,
      decisions: ['once', 'session', 'always'],
      request: {
        details,
        why: 'write.toml:4 (shipped)',
        grants: [
          { id: 'exact', label: 'npm test', covers: 'exactly this command' },
          { id: 'npm', label: 'npm', covers: 'every npm command' },
        ],
      },
    },
  });

/** A card for each kind of question. */
export const APPROVALS: readonly Entry[] = [
  ask('edit', 'replace', {
    type: 'edit',
    files: [{ path: 'src/tides.ts', isNew: false, patch: PATCH, added: 1, removed: 1 }],
  }),
  ask('exec', 'run_shell_command', {
    type: 'exec',
    command: 'npm test',
    folder: '/work/app',
    reason: 'To see it fail',
  }),
  ask('fetch', 'web_fetch', { type: 'fetch', urls: ['https://example.com/a?b=c'] }),
  ask('questions', 'ask_user', {
    type: 'ask_user',
    questions: [
      {
        question: 'Which one?',
        header: 'Which',
        type: 'choice',
        options: [
          { label: 'This', description: 'The first' },
          { label: 'That', description: 'The second' },
        ],
      },
      {
        question: 'Which of them?',
        header: 'Several',
        type: 'choice',
        multiSelect: true,
        options: [{ label: 'These', description: 'All' }],
      },
      { question: 'Why?', header: 'Why', type: 'text', placeholder: 'Because' },
      { question: 'Really?', header: 'Really', type: 'yesno' },
    ],
  }),
  ask('plan', 'exit_plan_mode', { type: 'plan', path: 'plan.md', text: '# Plan\n\n1. Fix it' }),
];
