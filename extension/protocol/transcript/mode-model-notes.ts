import * as l10n from '@vscode/l10n';
import type { SessionUpdateEvent } from '../agent/agent-event.ts';
import { type ApprovalMode, isApprovalMode } from '../agent/approval-mode.ts';
import type { TranscriptEntries } from './transcript-entries.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

/** The quiet notes about switches of the mode or model. Consecutive notes of a kind are merged. */
export class ModeModelNotes {
  private mode: string | undefined;
  private model: string | undefined;
  private modeLine: string | undefined;
  private modelLine: string | undefined;

  constructor(
    private readonly entries: TranscriptEntries,
    /** Whether a call of this tool is running. */
    private readonly runs: (tool: string) => boolean,
  ) {}

  take({ id, config }: SessionUpdateEvent): TranscriptChange[] {
    const mode = config?.['approvalMode'];
    if (isApprovalMode(mode) && mode !== this.mode) {
      this.mode = mode;
      // The entry of the call already reports the switch.
      if (this.runs('enter_plan_mode') || this.runs('exit_plan_mode')) return [];
      return this.put(modeNote(this.lineAtEnd(this.modeLine) ?? id, mode), (line) => {
        this.modeLine = line;
      });
    }
    // This is the model that the user chose. The router chooses the model of each message.
    const model = config?.['model'];
    if (typeof model !== 'string' || model === this.model) return [];
    this.model = model;
    return this.put(modelNote(this.lineAtEnd(this.modelLine) ?? id, model), (line) => {
      this.modelLine = line;
    });
  }

  /** Removes the note about the model, because a note with the reason follows. */
  explained(): TranscriptChange[] {
    const line = this.lineAtEnd(this.modelLine);
    return line === undefined ? [] : this.entries.removeById(line);
  }

  /** Adds no note to an empty conversation. */
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

/** The note tells which calls run without asking from here on. */
function modeNote(id: string, mode: ApprovalMode): Note {
  return { kind: 'note', id, icon: 'info', text: modeWords(mode), quiet: true };
}

function modeWords(mode: ApprovalMode): string {
  switch (mode) {
    case 'plan':
      return l10n.t('Plan mode on: nothing is changed before you approve a plan');
    case 'default':
      return l10n.t('Default mode on: edits and commands require approval');
    case 'autoEdit':
      return l10n.t('AutoEdit on: files change without asking');
    case 'yolo':
      return l10n.t('YOLO on: almost everything runs without asking');
  }
}

function modelNote(id: string, model: string): Note {
  return { kind: 'note', id, icon: 'info', text: l10n.t('From here on, {0} answers', model), quiet: true };
}
