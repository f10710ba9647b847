import { formatCost } from '../../../protocol/format-cost.ts';
import type { Notice } from '../../../protocol/input-to-panel.ts';
import type { PanelState } from '../../../protocol/panel-messages.ts';
import type { ListedTool } from '../../../runtime/listed-tools.ts';
import type { SlashCommand } from './slash-command.ts';

type Row = Notice['rows'][number];

/** Every command, then the keys of the input. */
export function helpNotice(commands: ReadonlyMap<string, SlashCommand>, keys: readonly Row[]): Notice {
  const rows = [...commands].map(([name, { hint, description, aliases = [] }]) => {
    const also = aliases.length > 0 ? ` (also ${aliases.map((alias) => `/${alias}`).join(', ')})` : '';
    return { name: `/${name}${hint === undefined ? '' : ` ${hint}`}`, value: `${description}${also}` };
  });
  return { title: 'Commands and keys', rows: [...rows, ...keys] };
}

export function inputKeys(send: string, newLine: string): readonly Row[] {
  return [
    { name: send, value: 'Send, or steer what runs' },
    { name: newLine, value: 'New line' },
    { name: 'Alt+Enter', value: 'Queue for after this turn' },
    { name: 'Escape', value: 'Close a list, then stop' },
    { name: 'Up and Down', value: 'What you sent before, at the first and last line' },
    { name: '@', value: 'Mention a file, symbol, problem and so on' },
    { name: '!', value: 'Run a command of your own' },
  ];
}

interface Use {
  readonly turns: number;
  readonly tokens: number;
  readonly cost: number;
  readonly milliseconds: number;
}

export function statsNotice(use: Use, { model, context }: Pick<PanelState, 'model' | 'context'>): Notice {
  const share = context.window > 0 ? Math.round((context.used / context.window) * 100) : 0;
  return {
    title: 'This session',
    rows: [
      { name: 'Model', value: model },
      { name: 'Requests', value: numbered(use.turns) },
      { name: 'Tokens', value: numbered(use.tokens) },
      { name: 'Context', value: `${numbered(context.used)} of ${numbered(context.window)} tokens (${share}%)` },
      ...(use.cost > 0 ? [{ name: 'Cost', value: formatCost({ amount: use.cost }) }] : []),
      { name: 'Time at work', value: timeText(use.milliseconds) },
    ],
  };
}

export function toolsNotice(tools: readonly ListedTool[], isTrusted: boolean): Notice {
  const isOff = (kind: string): boolean => !isTrusted && kind !== 'read' && kind !== 'search';
  return {
    title: isTrusted ? 'Tools' : 'Tools (only reading and searching in Restricted Mode)',
    rows: tools.map(({ name, kind, summary }) => ({ name, value: isOff(kind) ? `Off. ${summary}` : summary })),
  };
}

function numbered(count: number): string {
  return count.toLocaleString('en-US');
}

export function timeText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
