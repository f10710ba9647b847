import type { Delivery } from '../../extension/protocol/agent/content-part.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { SendRefusal } from '../state/composer-state.ts';
import type { EditChange } from '../state/editing.ts';
import type { ReadingPlace } from '../state/places.ts';
import type { RewindChoice, SheetWanted } from '../state/sheets.ts';

/** What parts tell the panel, as bubbling DOM events: a part needs no reference to anything above it. */
interface PanelEvents {
  /** Post this to the extension host. */
  'gantry-post': ToHost;
  /** Say this to a screen reader, once. */
  'gantry-announce': string;
  /** Send this to the agent: what was typed, or a suggestion. Without a delivery it steers a turn that runs. */
  'gantry-send': { readonly text: string; readonly delivery?: Delivery };
  /** The input now holds this. */
  'gantry-type': string;
  /** Keep this beside the input: it is too long to lie in it. */
  'gantry-hold': string;
  /** Drop what is kept beside the input. */
  'gantry-drop': undefined;
  /** The reader has seen why a message was refused. */
  'gantry-dismiss': undefined;
  /** Something was not done: say why above the input. */
  'gantry-refuse': SendRefusal;
  /** The reader has seen what a command had to say. */
  'gantry-dismiss-notice': undefined;
  /** What had focus is gone, and there is nothing near it that could have it. */
  'gantry-leave': undefined;
  /** The reader is here; no place at the end of the conversation. */
  'gantry-scroll': { readonly place: ReadingPlace | undefined };
  /** The card of a question came into view, or left it. */
  'gantry-ask-view': { readonly requestId: string; readonly inView: boolean };
  /** Open the find bar, or go to it. */
  'gantry-find-open': undefined;
  'gantry-find-close': undefined;
  /** Look for these words: where the reader is, after the match that is shown, or before it. */
  'gantry-find': { readonly query: string; readonly go: 'here' | 'next' | 'previous' };
  /** Show the stored sessions in place of the conversation, or what going back to a message would do. */
  'gantry-sheet': SheetWanted;
  /** Back to the conversation. */
  'gantry-sheet-close': undefined;
  /** The same, and what was wanted there is on its way: the input has the focus. */
  'gantry-sheet-done': undefined;
  /** Look for these words in what was said in sessions. */
  'gantry-session-search': string;
  /** Go back to the message that the sheet is about. */
  'gantry-rewind': RewindChoice;
  /** Change a message where it stands. */
  'gantry-edit': { readonly messageId: string; readonly text: string };
  /** The words of the message that is being changed, and what becomes of the files when it is sent. */
  'gantry-edit-change': EditChange;
  'gantry-edit-end': undefined;
  'gantry-edit-send': undefined;
  /** Allow all edits that wait in this conversation, each once. */
  'gantry-allow-edits': undefined;
  /** Go to the card of a question. */
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
