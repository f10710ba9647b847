import type { Suggestion, SuggestionGroup } from '../../../extension/protocol/panel/input-to-panel.ts';

/** A suggestion as the host would send it. */
export function suggestion(label: string, more: Partial<Suggestion> = {}): Suggestion {
  return { id: `id-${label}`, icon: 'file', label, marks: [], detail: '', insert: `@${label} `, ...more };
}

/** The suggestions for `@ret` in a workspace. */
export const MENTIONS: SuggestionGroup[] = [
  {
    title: 'Files and folders',
    items: [
      suggestion('retry.ts', { marks: [0, 1, 2], detail: 'src/net', insert: '@src/net/retry.ts ' }),
      suggestion('retry.test.ts', { marks: [0, 1, 2], detail: 'test' }),
      suggestion('retention', { icon: 'folder', marks: [0, 1, 2], detail: 'src/jobs' }),
    ],
  },
  {
    title: 'Symbols',
    items: [suggestion('withRetry', { icon: 'symbol', marks: [4, 5, 6], detail: 'src/net/retry.ts:22' })],
  },
  {
    title: 'More',
    items: [
      suggestion('Problems', { icon: 'problem', detail: '2 errors in 1 file' }),
      suggestion('Terminal', { icon: 'terminal', detail: 'selection, or last command and its output' }),
      suggestion('Git changes', { icon: 'changes', detail: '5 changed files' }),
    ],
  },
];

export const COMMANDS: SuggestionGroup[] = [
  {
    title: '',
    items: [
      command('/rewind', 'Go back to an earlier message'),
      command('/resume', 'Open another session'),
      command('/review', 'Yours, from .gemini/commands', '[branch]'),
    ],
  },
];

function command(label: string, detail: string, hint?: string): Suggestion {
  const insert = hint === undefined ? label : `${label} `;
  return suggestion(label, { icon: 'command', marks: [0, 1, 2], detail, insert, ...(hint !== undefined && { hint }) });
}
