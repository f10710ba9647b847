import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import type { IconName } from '../icons.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

interface ToolWords {
  readonly icon: IconName;
  /** The subject is a file of the workspace. */
  readonly opensFile: boolean;
  readonly verbs: Readonly<Record<ToolEntry['status'], string>>;
}

const TOOLS: Readonly<Record<string, ToolWords>> = {
  read_file: {
    icon: 'file-code',
    opensFile: true,
    verbs: { running: 'Reading', success: 'Read', error: 'Read failed', cancelled: 'Not read' },
  },
};

export function toolIcon(name: string): IconName {
  return (TOOLS[name] ?? unknownTool(name)).icon;
}

export interface StepLine {
  readonly icon: IconName;
  readonly tone: '' | 'bad' | 'spin';
  readonly verb: string;
  readonly file: { readonly path: string; readonly line?: number } | undefined;
  /** What the step shows when it is opened; empty when there is nothing to open. */
  readonly detail: string;
}

export function stepLine(entry: ToolEntry): StepLine {
  const words = TOOLS[entry.name] ?? unknownTool(entry.name);
  return {
    ...sign(entry, words.icon),
    verb: words.verbs[entry.status],
    file: words.opensFile && entry.subject !== '' ? fileOf(entry) : undefined,
    detail: detailOf(entry),
  };
}

function sign(entry: ToolEntry, icon: IconName): Pick<StepLine, 'icon' | 'tone'> {
  switch (entry.status) {
    case 'running':
      return { icon: 'loading', tone: 'spin' };
    case 'error':
      return { icon: 'error', tone: 'bad' };
    case 'cancelled':
      return { icon: 'circle-slash', tone: '' };
    case 'success':
      return { icon, tone: '' };
  }
}

/** "1–118" or "41-60": the file opens where the reading began. */
function fileOf(entry: ToolEntry): { path: string; line?: number } {
  const first = entry.status === 'success' ? /^(\d+)\s*[–-]/.exec(entry.summary)?.[1] : undefined;
  return first === undefined ? { path: entry.subject } : { path: entry.subject, line: Number(first) };
}

/** The line cuts a long reason with an ellipsis, so a failed step can always be opened. */
function detailOf(entry: ToolEntry): string {
  if (entry.status !== 'error' || entry.detail.includes(entry.summary)) return entry.detail;
  return entry.detail === '' ? entry.summary : `${entry.summary}\n\n${entry.detail}`;
}

function unknownTool(name: string): ToolWords {
  const verbs = { running: name, success: name, error: `${name} failed`, cancelled: `${name} stopped` };
  return { icon: 'tools', opensFile: false, verbs };
}
