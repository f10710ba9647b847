import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { spokenText } from '../../../extension/protocol/transcript/entry-text.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { formatCount } from '../../../extension/protocol/words/numbers.ts';
import { formatAgo, formatClock, formatSeconds } from '../../../webview/base/format.ts';
import { problemButtons, problemLook } from '../../../webview/conversation/problem-presentation.ts';
import { distanceToEnd, followsAfterScroll } from '../../../webview/conversation/scrolling.ts';
import { clamp, thinkingTitle } from '../../../webview/conversation/text-excerpt.ts';
import { stepLine, toolIcon } from '../../../webview/conversation/tool-presentation.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
const tool = (more: Partial<ToolEntry> = {}): ToolEntry => ({
  kind: 'tool',
  id: 't',
  name: 'read_file',
  subject: 'src/app.ts',
  summary: '41–60',
  status: 'success',
  detail: 'text',
  ...more,
});

describe('The line of a step', () => {
  it('names the act and opens the file where the reading began', () => {
    const line = stepLine(tool());
    assert.equal(line.verb, 'Read');
    assert.deepEqual(line.file, { path: 'src/app.ts', line: 41 });
  });

  it('says what failed, and can be opened for the whole reason', () => {
    const line = stepLine(tool({ status: 'error', summary: 'no such file', detail: '' }));
    assert.deepEqual([line.verb, line.icon, line.detail], ['Read failed', 'error', 'no such file']);
    assert.deepEqual(line.file, { path: 'src/app.ts' });
  });

  const SUMMARIES: readonly [string, Partial<ToolEntry>, string, string, string][] = [
    ['of an edit counts lines', { name: 'replace', summary: '+3 −2' }, 'Edited', 'edit', 'count +3 −2'],
    ['of a command is its end', { name: 'run_shell_command', summary: 'exit 0' }, 'Ran', 'terminal', 'exit exit 0'],
    ['of a failed command stands out', { name: 'run_shell_command', summary: 'exit 3' }, 'Ran', 'error', 'exit exit 3'],
    ['of a killed command too', { name: 'run_shell_command', summary: 'SIGKILL' }, 'Ran', 'error', 'exit SIGKILL'],
    [
      'of what goes on does not',
      { name: 'run_shell_command', summary: 'in background' },
      'Ran',
      'terminal',
      'exit in background',
    ],
    [
      'of a no has the words of the user',
      { name: 'replace', status: 'cancelled', rejected: 'not now' },
      'Rejected',
      'circle-slash',
      'reason “not now”',
    ],
    [
      'of a question that nobody answered says so',
      { name: 'replace', status: 'cancelled', unanswered: { requestId: 'q', minutes: 10 } },
      'Not done',
      'circle-slash',
      'reason Nobody answered within 10 minutes',
    ],
    [
      'of a bare no is empty',
      { name: 'replace', status: 'cancelled', rejected: '' },
      'Rejected',
      'circle-slash',
      'reason ',
    ],
  ];
  for (const [name, entry, verb, icon, summary] of SUMMARIES) {
    it(`has a summary that ${name}`, () => {
      const line = stepLine(tool(entry));
      assert.deepEqual([line.verb, line.icon, `${line.summary.kind} ${line.summary.text}`], [verb, icon, summary]);
    });
  }

  it('is followed by the last lines of a command while it runs', () => {
    const detail = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join('\n');
    const command = tool({ name: 'run_shell_command', status: 'running', detail: `${detail}\n` });
    assert.equal(stepLine(command).tail, 'line 4\nline 5\nline 6\nline 7\nline 8\nline 9');
    assert.equal(stepLine({ ...command, status: 'success' }).tail, '');
    assert.equal(stepLine({ ...command, name: 'grep_search' }).tail, '');
  });

  it('shows a tool that nobody knows by its name', () => {
    const line = stepLine(tool({ name: 'no_such_tool', status: 'error' }));
    assert.equal(line.verb, 'no_such_tool failed');
    assert.equal(line.file, undefined);
    for (const name of ['constructor', 'toString', '__proto__']) {
      assert.equal(stepLine(tool({ name, status: 'success' })).verb, name);
      assert.equal(toolIcon(name), 'tools');
    }
  });
});

describe('The buttons of a problem', () => {
  const problem = { kind: 'server', title: '', detail: '', actions: ['show-log', 'retry', 'switch-model'] as const };
  const styles = (running: boolean): string[] =>
    problemButtons({ ...problem, actions: [...problem.actions] }, running).map(
      ({ label, style }) => `${label} ${style}`,
    );

  it('are one primary, the others, and the log last', () => {
    assert.deepEqual(styles(false), ['Retry primary', 'Switch model secondary', 'Show log link']);
  });

  it('stand beside a sign that tells a warning from a failure', () => {
    const tones = ['not-saved', 'log-damaged', 'session-locked', 'session-unreadable', 'server', 'unheard-of'].map(
      (kind) => problemLook(kind).tone,
    );
    assert.deepEqual(tones, ['warning', 'warning', 'warning', 'warning', 'error', 'error']);
  });

  it('do not offer to retry what is running', () => {
    assert.deepEqual(styles(true), ['Switch model primary', 'Show log link']);
  });

  it('offer to continue after a loop, with and without looking for loops', () => {
    const loop = { kind: 'loop', title: '', detail: '', actions: ['keep-going' as const, 'stop-detecting' as const] };
    const buttons = problemButtons(loop, false).map(({ label, message }) => [label, message.type]);
    assert.deepEqual(buttons, [
      ['Keep going', 'continue'],
      ['Turn off loop detection', 'turnOffLoopDetection'],
    ]);
    assert.deepEqual(problemButtons(loop, true), []);
    assert.equal(problemLook('loop').tone, 'warning');
  });
});

describe('Numbers', () => {
  it('are short', () => {
    const counts = [0, 410, 999, 1000, 6214, 9960, 62_000, 999_499, 1_200_000];
    assert.deepEqual(counts.map(formatCount), ['0', '410', '999', '1k', '6.2k', '10k', '62k', '999k', '1.2M']);
    assert.deepEqual([0, 5, 60, 65].map(formatSeconds), ['0 s', '5 s', '1 min', '1 min 5 s']);
    const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
    const now = Date.UTC(2026, 10, 15, 12);
    assert.deepEqual(
      [-5, 59_000, 5 * minute, 2 * hour, 30 * hour, 3 * day, 9 * day, 400 * day].map((ago) =>
        formatAgo(now - ago, now),
      ),
      ['now', 'now', '5 min ago', '2 h ago', '1 day ago', '3 days ago', '6 Nov', '11 Oct 2025'],
    );
    assert.deepEqual([0, 34.9, 65, 3661].map(formatClock), ['0:00', '0:34', '1:05', '1:01:01']);
  });
});

describe('Long text', () => {
  it('shows its first lines', () => {
    assert.equal(clamp('a\nb\nc', 2), 'a\nb');
    assert.equal(clamp('a\nb\n', 2), 'a\nb\n');
    assert.equal(clamp('a', 2), 'a');
  });

  it('is cut even when it has no lines', () => {
    assert.equal(clamp('x'.repeat(5_000_000), 2).length, 800);
  });
});

describe('Scrolling', () => {
  const at = (top: number): { top: number; viewport: number; content: number } => ({
    top,
    viewport: 100,
    content: 1000,
  });

  it('follows near the end, and lets go as soon as the reader moves up', () => {
    assert.equal(distanceToEnd(at(900)), 0);
    assert.equal(followsAfterScroll(800, at(880)), true);
    assert.equal(followsAfterScroll(800, at(870)), false);
    assert.equal(followsAfterScroll(900, at(890)), false);
  });

  it('continues following when content became shorter', () => {
    assert.equal(followsAfterScroll(920, at(900)), true);
  });
});

describe('Words', () => {
  it('of thinking are its newest title', () => {
    assert.equal(thinkingTitle('**One**\n\ntext with **bold** in it\n\n**Two**\n\nmore'), 'Two');
    assert.equal(thinkingTitle('no title'), '');
  });

  it('that are spoken of a question are what it asks', () => {
    const asked = { requestId: 'r', title: 'Run this command?', message: 'Shell: ls', decisions: ['once'] };
    assert.equal(spokenText(tool({ approval: asked })), 'Gantry asks: Run this command? Shell: ls');
    const details = {
      type: 'ask_user' as const,
      questions: [{ question: 'Which one?', header: 'One', type: 'text' as const }],
    };
    const question = { ...asked, title: 'Gantry has a question', request: { details, why: '', grants: [] } };
    assert.equal(spokenText(tool({ approval: question })), 'Gantry asks: Which one?');
  });

  it('that are spoken of a command are what the sandbox blocked', () => {
    const blocked = { paths: ['/data/x'], hosts: ['example.com'] };
    const command = { state: 'ended' as const, confinedBy: 'bubblewrap' as const, blocked };
    assert.equal(spokenText(tool({ command })), 'The sandbox blocked /data/x, example.com');
  });

  it('that are spoken carry no markdown', () => {
    const text = '## Fix\n\n- use **this** [file](a.ts)\n\n```ts\nlet a;\n```\n\nDone.';
    assert.equal(
      spokenText({ kind: 'answer', id: 'a', text, state: 'done' }),
      'Gantry: Fix use this file Code block. Done.',
    );
  });
});
