import type { SuggestionIcon } from '../../protocol/panel/input-to-panel.ts';
import type { NewAttachment } from '../context/attachments.ts';

/** An item that `@` offers. */
export interface Mention {
  readonly icon: SuggestionIcon;
  readonly label: string;
  /** Positions in the label that match the query. */
  readonly marks?: readonly number[];
  readonly detail: string;
  /** The name after the `@` in the message, without spaces. */
  readonly name: string;
  /** Makes the attachment when the user picks the item; errors are reported. Absent if the item is only named. */
  attach?(): Promise<NewAttachment>;
}

/** A kind of item that can be mentioned. Add new sources to the list in `input-features.ts`. */
export interface MentionSource {
  /** The heading of its group. Sources with the same title share a group. */
  readonly title: string;
  /** Moves its group to the top if a name in it begins with the query: files are often named like what they define. */
  readonly leadsByName?: boolean;
  /** The list does not wait for this source: its mentions are appended to the others. */
  readonly isSlow?: boolean;
  /** Returns the best matches first. Rejects when it is aborted, which is not reported. */
  search(query: string, signal: AbortSignal): Promise<readonly Mention[]>;
  /** More items are available than before. */
  onDidChange?(listener: () => void): { dispose(): void };
}
