import * as l10n from '@vscode/l10n';
import type { SessionUpdateEvent } from '../agent/agent-event.ts';
import { type ApprovalMode, isApprovalMode } from '../agent/approval-mode.ts';
import type { TranscriptEntries } from './transcript-entries.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

/** The quiet lines that a switch of mode or model leaves. Several in a row are one. */
export class ModeModelNotes {
  private mode: string | undefined;
  private model: string | undefined;
  private modeLine: string | undefined;
  private modelLine: string | undefined;

  constructor(
    private readonly entries: TranscriptEntries,
    /** Whether a call of this tool is at work. */
    private readonly runs: (tool: string) => boolean,
  ) {}

  take({ id, config }: SessionUpdateEvent): TranscriptChange[] {
    const mode = config?.['approvalMode'];
    if (isApprovalMode(mode) && mode !== this.mode) {
      this.mode = mode;
      // The line of the call says it.
      if (this.runs('enter_plan_mode') || this.runs('exit_plan_mode')) return [];
      return this.put(modeNote(this.lineAtEnd(this.modeLine) ?? id, mode), (line) => {
        this.modeLine = line;
      });
    }
    // The one that the user chose: which one it comes to for a message is the router's matter.
    const model = config?.['model'];
    if (typeof model !== 'string' || model === this.model) return [];
    this.model = model;
    return this.put(modelNote(this.lineAtEnd(this.modelLine) ?? id, model), (line) => {
      this.modelLine = line;
    });
  }

  /** Why the model is another one is said next, and says all of it. */
  explained(): TranscriptChange[] {
    const line = this.lineAtEnd(this.modelLine);
    return line === undefined ? [] : this.entries.removeById(line);
  }

  /** Before anything was said there is nothing to tell apart. */
  private put(note: Entry, remember: (line: string) => void): TranscriptChange[] {
    if (this.entries.last === undefined) return [];
    remember(note.id);
    return [this.entries.put(note)];
  }

  private lineAtEnd(line: string | undefined): string | undefined {
    return line !== undefined && this.entries.last?.id === line ? line : undefined;
  }
}

type Note = Extract<Entry, { kind: 'note' }>;

/** From here on more, or less, runs without a question. */
function modeNote(id: string, mode: ApprovalMode): Note {
  return { kind: 'note', id, icon: 'info', text: modeWords(mode), quiet: true };
}

function modeWords(mode: ApprovalMode): string {
  switch (mode) {
    case 'plan':
      return l10n.t('Plan mode on: nothing is changed before you approve a plan');
    case 'default':
      return l10n.t('Default mode on: edits and commands ask first');
    case 'autoEdit':
      return l10n.t('AutoEdit on: files change without asking');
    case 'yolo':
      return l10n.t('YOLO on: everything runs without asking');
  }
}

function modelNote(id: string, model: string): Note {
  return { kind: 'note', id, icon: 'info', text: l10n.t('From here on, {0} answers', model), quiet: true };
}
