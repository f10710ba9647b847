import type { SuggestionIcon } from '../../protocol/panel/input-to-panel.ts';
import type { NewAttachment } from '../context/attachments.ts';

/** Something that `@` offers. */
export interface Mention {
  readonly icon: SuggestionIcon;
  readonly label: string;
  /** Places of the label that match what was typed. */
  readonly marks?: readonly number[];
  readonly detail: string;
  /** Follows the `@` in the message, without spaces. */
  readonly name: string;
  /** What goes with the message. Called when it is taken; what it throws is reported. Absent for what is only named. */
  attach?(): Promise<NewAttachment>;
}

/** A kind of thing that can be mentioned. What comes later adds a source of its own to the list in `input-features.ts`. */
export interface MentionSource {
  /** The heading of its group. Sources with the same one share it. */
  readonly title: string;
  /** Its group comes first once a name in it begins with what was typed: a file is often called like what it defines. */
  readonly leadsByName?: boolean;
  /** Nobody waits for it: its mentions are added after those of the others. */
  readonly isSlow?: boolean;
  /** The best first. Rejects when it is aborted, which is not reported. */
  search(query: string, signal: AbortSignal): Promise<readonly Mention[]>;
  /** There is more to find than before. */
  onDidChange?(listener: () => void): { dispose(): void };
}
