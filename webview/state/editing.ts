import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { RewindPreview } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { isDirect, LONGEST_DRAFT, type SendRefusal } from './composer-state.ts';

/** A message of the user's that is being changed where it stands. */
export interface Editing {
  readonly messageId: string;
  readonly text: string;
  /** What going back to it would do; undefined until the host has said so. */
  readonly preview?: RewindPreview | undefined;
  /** Why it cannot be sent now. */
  readonly refusal?: SendRefusal | undefined;
  /** Whether the files are put back with the conversation. */
  readonly what: 'both' | 'conversation';
  /** Files to put back although somebody else changed them. */
  readonly overwrite: readonly string[];
}

export type EditChange = Partial<Pick<Editing, 'text' | 'what' | 'overwrite'>>;

/** Longer ones would not be quick in a field; the user can go back to them. */
export function canEdit(text: string): boolean {
  return text.length <= LONGEST_DRAFT;
}

export function beginEditing(messageId: string, text: string): Editing {
  return { messageId, text, what: 'both', overwrite: [] };
}

/** Undefined when there is nothing to say, or it is not known yet what would become of files. */
export function resendOf(editing: Editing, ref: number): Extract<ToHost, { type: 'resend' }> | undefined {
  const { messageId, preview, overwrite } = editing;
  const text = wordsOf(editing);
  if (text.trim() === '' || !preview) return undefined;
  const what = preview.filesStay === undefined && preview.files.length > 0 ? editing.what : 'conversation';
  return { type: 'resend', ref, messageId, text, what, overwrite: what === 'both' ? [...overwrite] : [] };
}

/** What is kept of it while the view is hidden; the host tells the rest again. */
export function savedEdit(editing: Editing | undefined): { editing?: { messageId: string; text: string } } {
  return editing ? { editing: { messageId: editing.messageId, text: editing.text } } : {};
}

/** It was said and is said again: it neither is a command nor becomes one when it comes back into the input. */
function wordsOf({ text }: Editing): string {
  return isDirect(text) ? ` ${text}` : text;
}
