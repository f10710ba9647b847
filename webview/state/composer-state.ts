import * as l10n from '@vscode/l10n';

/** The text that a user has written. The functions are pure; none drops text that the host has not accepted. */
export interface ComposerState {
  readonly draft: string;
  /**
   * Text that is too long for the input, or was inserted while the input had a command. It is sent after the draft,
   * never as part of a command.
   */
  readonly held?: string | undefined;
  /** The sent message that the host has not answered yet. */
  readonly pending?: UnconfirmedMessage | undefined;
  readonly refusal?: SendRefusal | undefined;
  readonly lastRef: number;
}

export interface UnconfirmedMessage {
  readonly ref: number;
  readonly text: string;
  /** The last permanent entry of the conversation when the message was sent. */
  readonly after?: string | undefined;
}

export interface SendRefusal {
  readonly title: string;
  readonly detail: string;
}

export const EMPTY_COMPOSER: ComposerState = { draft: '', lastRef: 0 };

/**
 * Chromium lays out all lines of a text field at once: 1 MB took seconds, and one line of 5 MB crashed the page. Up to
 * this length, a field stays responsive.
 */
export const LONGEST_DRAFT = 50_000;

export function typed(state: ComposerState, draft: string): ComposerState {
  return draft.length > LONGEST_DRAFT ? { ...holding(state, draft), draft: '' } : { ...state, draft };
}

export function holding(state: ComposerState, text: string): ComposerState {
  return { ...state, held: joined(state.held, text) };
}

export function withoutHeld(state: ComposerState): ComposerState {
  return { ...state, held: undefined };
}

/** The message that Send would send. */
export function messageOf({ draft, held }: ComposerState): string {
  return isDirect(draft) ? draft : joined(draft, held);
}

function joined(first: string | undefined, second: string | undefined): string {
  return [first, second].filter((part) => part).join('\n\n');
}

/** Marks `text` as sent. A suggestion does not change the content of the input. */
export function sending(state: ComposerState, text: string, after: string | undefined): ComposerState {
  const ref = state.lastRef + 1;
  const pending = { ref, text, after };
  const isCommand = text === state.draft && isDirect(text);
  // The held text fits into the input now that the command is gone.
  if (isCommand) return typed({ draft: '', lastRef: ref, pending }, state.held ?? '');
  if (text === messageOf(state)) return { draft: '', lastRef: ref, pending };
  return { draft: state.draft, held: state.held, lastRef: ref, pending };
}

export function answered(state: ComposerState, ref: number, refusal: SendRefusal | undefined): ComposerState {
  if (state.pending?.ref !== ref) return state;
  return refusal ? { ...takenBack(state), refusal } : { ...state, pending: undefined };
}

/** Restores sent text in the input, before anything typed since. After a command, the newer text is held instead. */
export function takenBack(state: ComposerState): ComposerState {
  if (!state.pending) return state;
  const { text } = state.pending;
  const rest = { ...state, pending: undefined };
  if (text.length > LONGEST_DRAFT) return { ...rest, held: joined(text, state.held) };
  if (isDirect(text)) return { ...rest, draft: text, held: joined(state.draft, state.held) || undefined };
  return typed(rest, joined(text, state.draft));
}

/** Inserts text as part of a message: it must not become a command, or a line of the command in the input. */
export function inserted(state: ComposerState, text: string): ComposerState {
  const words = isDirect(text) ? ` ${text}` : text;
  if (words.length > LONGEST_DRAFT || isDirect(state.draft)) return holding(state, words);
  const separator = state.draft === '' || /\s$/.test(state.draft) ? '' : '\n';
  return typed(state, state.draft + separator + words);
}

export function dismissed(state: ComposerState): ComposerState {
  return { ...state, refusal: undefined };
}

/** The shell command: everything after an exclamation mark at the start of the message. */
export function commandOf(text: string): string | undefined {
  return text.startsWith('!') ? text.slice(1).trim() : undefined;
}

/** True if the text is a shell command or a command of Gantry, and not a message. */
export function isDirect(text: string): boolean {
  return commandOf(text) !== undefined || isSlash(text);
}

/** A slash and a name are a command of Gantry. With a second slash, the text is a path. */
export function isSlash(text: string): boolean {
  return /^\/[\w.:-]*(?:\s|$)/.test(text);
}

/** Blank messages are not sent, and no second message before the host has accepted the first one. */
export function canSend(state: ComposerState, text: string): boolean {
  return state.pending === undefined && (commandOf(text) ?? text.trim()) !== '';
}

/**
 * Restores the state after the view was hidden: the host's answer to a pending message went to a page that no longer
 * exists. The conversation tells whether the message was accepted.
 */
export function afterReload(state: ComposerState, wasSaid: boolean): ComposerState {
  return wasSaid ? { ...state, pending: undefined } : takenBack(state);
}

export function tooLarge(): SendRefusal {
  return {
    title: l10n.t('This message is too large to send'),
    detail: l10n.t(
      'Your text is back in the input, and nothing was sent. Save it as a file in the folder and ask about the file.',
    ),
  };
}
