import type { Delivery } from '../../extension/protocol/agent/content-part.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { SendRefusal } from '../state/composer-state.ts';
import type { EditChange } from '../state/editing.ts';
import type { ReadingPlace } from '../state/places.ts';
import type { RewindChoice, SheetWanted } from '../state/sheets.ts';

/**
 * Events that elements send to the panel. They bubble in the DOM, so an element needs no reference to its ancestors.
 */
interface PanelEvents {
  /** Posts a message to the extension host. */
  'gantry-post': ToHost;
  /** Announces a text to screen readers, once. */
  'gantry-announce': string;
  /** Sends typed text or a suggestion to the agent. Without a delivery, it steers the running turn. */
  'gantry-send': { readonly text: string; readonly delivery?: Delivery };
  /** The text of the input changed. */
  'gantry-type': string;
  /** Holds a text next to the input because it is too long for the input. */
  'gantry-hold': string;
  /** Removes the text that is held next to the input. */
  'gantry-drop': undefined;
  /** The user dismissed the reason why a message was refused. */
  'gantry-dismiss': undefined;
  /** Shows above the input why something was not done. */
  'gantry-refuse': SendRefusal;
  /** The user dismissed the output of a command. */
  'gantry-dismiss-notice': undefined;
  /** The focused element was removed, and no element near it can take the focus. */
  'gantry-leave': undefined;
  /** The reading position changed. `place` is undefined at the end of the conversation. */
  'gantry-scroll': { readonly place: ReadingPlace | undefined };
  /** The card of a question scrolled into view, or out of it. */
  'gantry-ask-view': { readonly requestId: string; readonly inView: boolean };
  /** Opens the find bar, or focuses it. */
  'gantry-find-open': undefined;
  'gantry-find-close': undefined;
  /** Searches from the reading position, after the shown match, or before it. */
  'gantry-find': { readonly query: string; readonly go: 'here' | 'next' | 'previous' };
  /** Opens a sheet in place of the conversation: the stored sessions, a rewind preview or a thread. */
  'gantry-sheet': SheetWanted;
  /** Returns to the conversation. */
  'gantry-sheet-close': undefined;
  /** Returns to the conversation after the action of the sheet was started, and focuses the input. */
  'gantry-sheet-done': undefined;
  /** Searches the messages of all sessions. */
  'gantry-session-search': string;
  /** Rewinds to the message of the sheet. */
  'gantry-rewind': RewindChoice;
  /** Starts editing a message in place. */
  'gantry-edit': { readonly messageId: string; readonly text: string };
  /** The text of the edited message, or the choice about files when it is sent, changed. */
  'gantry-edit-change': EditChange;
  'gantry-edit-end': undefined;
  'gantry-edit-send': undefined;
  /** Allows all pending edits of this conversation, each once. */
  'gantry-allow-edits': undefined;
  /** Reveals the card of a question. */
  'gantry-to-ask': { readonly requestId: string };
}

type DomEvents = { [Name in keyof PanelEvents]: CustomEvent<PanelEvents[Name]> };

declare global {
  interface HTMLElementEventMap extends DomEvents {}
}

export function postToHost(from: EventTarget, message: ToHost): void {
  emit(from, 'gantry-post', message);
}

export function announce(from: EventTarget, text: string): void {
  emit(from, 'gantry-announce', text);
}

export function emit<Name extends keyof PanelEvents>(from: EventTarget, name: Name, detail: PanelEvents[Name]): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
