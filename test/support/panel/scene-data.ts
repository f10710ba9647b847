import type { SessionItem } from '../../../extension/protocol/panel/sheets-to-panel.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { asking, said, thought, tool } from './entries.ts';

/** Data from the host, with words that the panel itself never uses. */

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

export const NOON = Date.UTC(2026, 0, 2, 12);

const TOOLS = [
  ...['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'write_file', 'replace', 'save_memory'],
  ...['rename_symbol', 'run_shell_command', 'list_background_processes', 'read_background_output'],
  ...['stop_background_process', 'web_fetch', 'google_web_search', 'write_todos', 'ask_user', 'enter_plan_mode'],
  ...['exit_plan_mode', 'get_diagnostics', 'find_symbol', 'go_to_definition', 'find_references', 'activate_skill'],
  ...['invoke_agent', 'get_open_editors', 'mcp_zorp_blimp', 'frobnicate'],
];

export const steps = (status: ToolEntry['status']): readonly Entry[] =>
  TOOLS.map((name) => tool(name, { id: `${name}-${status}`, status, subject: 'zorp blimp', detail: 'zorp' }));

const agent = (id: string, status: ToolEntry['status'], turns: number, waits = false): Entry =>
  tool('invoke_agent', {
    id,
    status,
    subject: 'Zorp the blimp',
    at: NOON,
    tookMs: 61_000,
    agent: {
      threadId: id,
      name: 'zorper',
      turns,
      ...(id !== 'endless' && { maxTurns: 50 }),
      tokens: 38_000,
      model: 'blimp-2',
      earlier: turns,
      steps: [{ id: '1', name: 'read_file', subject: 'src/blimp.ts', summary: '7', status: 'success' }],
      words: 'Zorped.',
      thoughts: '**Zorping**\n\nIt',
      waits,
    },
  });

export const AGENTS: readonly Entry[] = [
  agent('one', 'running', 1),
  agent('endless', 'running', 2),
  agent('waits', 'running', 2, true),
  ...[1, 4].flatMap((turns) =>
    (['success', 'error', 'cancelled'] as const).map((status) => agent(`${status}-${turns}`, status, turns)),
  ),
];

const command = (state: NonNullable<ToolEntry['command']>['state'], more: Partial<ToolEntry> = {}): Entry =>
  tool('run_shell_command', {
    id: `command-${state}-${more.id ?? ''}`,
    subject: 'blimp --zorp',
    status: state === 'running' || state === 'waiting' ? 'running' : 'success',
    detail: 'zorp',
    command: { state, startedAt: Date.now() - 34_000, durationMs: 1200 },
    ...more,
  });

export const COMMANDS_RUN: readonly Entry[] = [
  command('running'),
  command('waiting'),
  command('background'),
  command('lost', { command: { state: 'lost', outlived: true } }),
  command('ended', { command: { state: 'ended', durationMs: 65_000, typed: 'blimp' } }),
];

export const PROBLEM: Entry = {
  kind: 'problem',
  id: 'problem',
  problem: {
    kind: 'server',
    title: 'Zorp',
    detail: 'Blimp.',
    actions: [
      ...(['retry', 'retry-from-here', 'compress', 'new-session', 'open-copy', 'set-api-key', 'sign-in'] as const),
      ...([
        'switch-model',
        'open-settings',
        'review-hooks',
        'review-agents',
        'keep-going',
        'stop-detecting',
        'show-log',
      ] as const),
    ],
  },
};

export const ENDS: readonly Entry[] = [
  said('zorp it', { id: 'steered', steered: true }),
  thought('**Zorping**', { id: 'running', running: true, seconds: 0 }),
  thought('Blimp', { id: 'short', seconds: 0 }),
  thought('Blimp', { id: 'long', seconds: 125 }),
  tool('replace', { id: 'unread', status: 'cancelled', unanswered: { requestId: 'q', minutes: 1 } }),
  tool('replace', { id: 'unread-2', status: 'cancelled', unanswered: { requestId: 'q2', minutes: 10 } }),
  tool('glob', { subject: '*', detail: Array.from({ length: 516 }, (_, at) => `src/${at}.ts`).join('\n') }),
  tool('replace', {
    id: 'gaps',
    subject: 'z.ts',
    summary: '+1 −0',
    patch: '@@ -9,1 +9,2 @@\n a\n+b\n@@ -11,1 +12,1 @@\n-c\n+d\n',
  }),
  said('zorp\n'.repeat(40), { id: 'long-message' }),
  {
    kind: 'compacted',
    id: 'by-hand',
    trigger: 'manual',
    at: NOON,
    tokensBefore: 9,
    tokensAfter: 4,
    summary: 'Zorp.',
  },
  { kind: 'usage', id: 'small', inputTokens: 4, outputTokens: 2, seconds: 90, cost: { amount: 0.001 } },
  { kind: 'choice', id: 'choice', title: 'Zorp?', message: 'Blimp.', options: [{ decision: 'a', label: 'Zorp it' }] },
  { kind: 'retry', id: 'retry', why: 'Zorped', until: Date.now() + 100_000, attempt: 2, attempts: 5 },
];

export const DIAGRAMS = [
  '```mermaid\nflowchart LR\n A --> B\n```',
  '```mermaid\nzorp\n```',
  '```\nblimp\n```',
  '| a |\n|---|\n| b |',
];

const session = (id: string, more: Partial<SessionItem> = {}): SessionItem => ({
  id,
  title: `Zorp ${id}`,
  updatedAt: Date.now(),
  messages: 6,
  pinned: false,
  current: false,
  ...more,
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const SESSIONS: SessionItem[] = [
  session('1', { current: true, messages: 1 }),
  ...(['needsYou', 'running', 'newAnswer', 'commandRuns', 'otherWindow', 'stopped'] as const).map((tag) =>
    session(tag, { tag }),
  ),
  ...[5 * MINUTE, 120 * MINUTE, 1.5 * DAY, 3 * DAY, 30 * DAY].map((ago) =>
    session(`ago-${ago}`, { updatedAt: Date.now() - ago }),
  ),
  session('pinned', { pinned: true, forkOf: 'Blimp' }),
  session('broken', { problem: 'Zorped' }),
];

export const PREVIEW = {
  messageId: 'm1',
  text: 'Zorp the blimp',
  at: NOON,
  turn: 1,
  turns: 2,
  calls: 17,
  grants: ['zorp', 'blimp'],
  files: (['restore', 'remove', 'changed', 'lost', 'blocked'] as const).map((kind) => ({
    path: `/w/${kind}.ts`,
    label: `src/${kind}.ts`,
    kind,
    removes: kind === 'remove',
    lines: { added: 18, removed: 31 },
  })),
  commands: ['blimp --zorp'],
};

export const OTHER_APPROVALS: readonly Entry[] = [
  asking('mcp_zorp', 'blimp', {
    approval: {
      requestId: 'mcp',
      title: 'Zorp?',
      message: 'zorp\u200bed',
      decisions: ['once', 'session', 'always'],
      request: {
        details: { type: 'mcp', server: 'zorper', tool: 'blimp', args: 'zorp'.repeat(900) },
        why: 'Zorps are asked about',
        grants: [{ id: 'one', label: 'zorp', covers: 'zorps of blimp' }],
      },
    },
  }),
  asking('replace', 'blimp', {
    approval: {
      requestId: 'cut',
      title: 'Zorp?',
      message: '',
      decisions: ['once'],
      request: {
        details: {
          type: 'edit',
          files: [{ path: 'z.ts', isNew: true, patch: '@@ -0,0 +1,1 @@\n+a\n', added: 1, removed: 0, isCut: true }],
        },
        why: '',
        grants: [],
      },
    },
  }),
  asking('frobnicate', 'blimp\u200b'),
];
