import * as l10n from '@vscode/l10n';

/** What a user has written. Reductions are pure; no path drops words that the host has not taken. */
export interface ComposerState {
  readonly draft: string;
  /** Text too long for the input, or that came while a command stood there. Sent after the draft, never as part of a command. */
  readonly held?: string | undefined;
  /** Sent, and not yet answered by the host. */
  readonly pending?: UnconfirmedMessage | undefined;
  readonly refusal?: SendRefusal | undefined;
  readonly lastRef: number;
}

export interface UnconfirmedMessage {
  readonly ref: number;
  readonly text: string;
  /** The last lasting entry of the conversation when it was sent. */
  readonly after?: string | undefined;
}

export interface SendRefusal {
  readonly title: string;
  readonly detail: string;
}

export const EMPTY_COMPOSER: ComposerState = { draft: '', lastRef: 0 };

/**
 * Chromium lays out every line of a text field at once: 1 MB took seconds, one line of 5 MB took the page with it.
 * Up to here a field stays quick.
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

/** What Send would send. */
export function messageOf({ draft, held }: ComposerState): string {
  return isDirect(draft) ? draft : joined(draft, held);
}

function joined(first: string | undefined, second: string | undefined): string {
  return [first, second].filter((part) => part).join('\n\n');
}

/** Moves `text` out to the host. A suggestion leaves what is in the input alone. */
export function sending(state: ComposerState, text: string, after: string | undefined): ComposerState {
  const ref = state.lastRef + 1;
  const pending = { ref, text, after };
  const isCommand = text === state.draft && isDirect(text);
  // What waited for the command to go has room in the input now.
  if (isCommand) return typed({ draft: '', lastRef: ref, pending }, state.held ?? '');
  if (text === messageOf(state)) return { draft: '', lastRef: ref, pending };
  return { draft: state.draft, held: state.held, lastRef: ref, pending };
}

export function answered(state: ComposerState, ref: number, refusal: SendRefusal | undefined): ComposerState {
  if (state.pending?.ref !== ref) return state;
  return refusal ? { ...takenBack(state), refusal } : { ...state, pending: undefined };
}

/** Puts sent words back into the input, before anything typed since; what was typed since is no part of a command. */
export function takenBack(state: ComposerState): ComposerState {
  if (!state.pending) return state;
  const { text } = state.pending;
  const rest = { ...state, pending: undefined };
  if (text.length > LONGEST_DRAFT) return { ...rest, held: joined(text, state.held) };
  if (isDirect(text)) return { ...rest, draft: text, held: joined(state.draft, state.held) || undefined };
  return typed(rest, joined(text, state.draft));
}

/** Text from elsewhere is to be said: it neither is a command nor becomes one more line of the one in the input. */
export function inserted(state: ComposerState, text: string): ComposerState {
  const words = isDirect(text) ? ` ${text}` : text;
  if (words.length > LONGEST_DRAFT || isDirect(state.draft)) return holding(state, words);
  const separator = state.draft === '' || /\s$/.test(state.draft) ? '' : '\n';
  return typed(state, state.draft + separator + words);
}

export function dismissed(state: ComposerState): ComposerState {
  return { ...state, refusal: undefined };
}

/** What is to be run instead of said: everything behind an exclamation mark that the message begins with. */
export function commandOf(text: string): string | undefined {
  return text.startsWith('!') ? text.slice(1).trim() : undefined;
}

/** It is done and not said: a command for the shell, or one of Gantry's own. */
export function isDirect(text: string): boolean {
  return commandOf(text) !== undefined || isSlash(text);
}

/** What begins with a slash and a name is a command of Gantry's; with another slash in it, it is a path. */
export function isSlash(text: string): boolean {
  return /^\/[\w.:-]*(?:\s|$)/.test(text);
}

/** Blank messages are not sent, nor is a second one before the first was taken. */
export function canSend(state: ComposerState, text: string): boolean {
  return state.pending === undefined && (commandOf(text) ?? text.trim()) !== '';
}

/**
 * After the view was away: the host's answer to a pending message went to a page that no longer exists. The
 * conversation tells whether it was taken.
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
