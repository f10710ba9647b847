import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { RewindPreview } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { isDirect, LONGEST_DRAFT, type SendRefusal } from './composer-state.ts';

/** The user message that is being edited in place. */
export interface Editing {
  readonly messageId: string;
  readonly text: string;
  /** The effects of a rewind to the message; undefined until the host has answered. */
  readonly preview?: RewindPreview | undefined;
  /** Why the message cannot be sent now. */
  readonly refusal?: SendRefusal | undefined;
  /** Whether the files are rewound with the conversation. */
  readonly what: 'both' | 'conversation';
  /** The paths of files to restore although they were changed by somebody else. */
  readonly overwrite: readonly string[];
}

export type EditChange = Partial<Pick<Editing, 'text' | 'what' | 'overwrite'>>;

/** A longer message would make the field slow. The user can rewind to it instead. */
export function canEdit(text: string): boolean {
  return text.length <= LONGEST_DRAFT;
}

export function beginEditing(messageId: string, text: string): Editing {
  return { messageId, text, what: 'both', overwrite: [] };
}

/** Undefined if the text is blank, or the effects on files are not known yet. */
export function resendOf(editing: Editing, ref: number): Extract<ToHost, { type: 'resend' }> | undefined {
  const { messageId, preview, overwrite } = editing;
  const text = wordsOf(editing);
  if (text.trim() === '' || !preview) return undefined;
  const what = preview.filesStay === undefined && preview.files.length > 0 ? editing.what : 'conversation';
  return { type: 'resend', ref, messageId, text, what, overwrite: what === 'both' ? [...overwrite] : [] };
}

/** The part that is saved while the view is hidden. The host sends the rest again. */
export function savedEdit(editing: Editing | undefined): { editing?: { messageId: string; text: string } } {
  return editing ? { editing: { messageId: editing.messageId, text: editing.text } } : {};
}

/** The text was sent as a message, so it must not become a command, even if it returns to the input. */
function wordsOf({ text }: Editing): string {
  return isDirect(text) ? ` ${text}` : text;
}
