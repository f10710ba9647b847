import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/host-messages.ts';
import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { sentChips } from '../composer/chips.ts';
import { formatTime } from '../format.ts';
import { type IconName, icon } from '../icons.ts';

type UserEntry = Extract<Entry, { kind: 'user' }>;
type Post = (message: ToHost) => void;

/** Enough to recognise a message by; more is one button away. */
const USER_LINES = 30;

interface WaitingWords {
  readonly icon: IconName;
  readonly name: string;
  readonly hint: string;
}

const WAITING: Readonly<Record<NonNullable<UserEntry['pending']>, WaitingWords>> = {
  steer: { icon: 'debug-step-into', name: 'Steering', hint: 'Delivered at the next step of this run' },
  queue: { icon: 'list-ordered', name: 'Queued', hint: 'Sent when this run is over' },
};

/** What the user said, and how to take it back: before it was delivered, or with all that followed. */
export function userView(
  { text, messageId, pending, attachments = [], editor, at }: UserEntry,
  post: Post,
): TemplateResult {
  const open = (path: string, line: number | undefined): void =>
    post({ type: 'openFile', path, ...(line !== undefined && { line }) });
  return article(
    pending ? 'pending' : '',
    text,
    sentChips(attachments, editor, open),
    pending ? waitingLine(WAITING[pending], messageId, post) : toolbar(text, messageId, at, post),
  );
}

/** A message that the host has not shown yet. */
export function sendingView(text: string): TemplateResult {
  return article('sending', text, nothing, nothing);
}

type Part = TemplateResult | typeof nothing;

function article(state: string, text: string, chips: Part, more: Part): TemplateResult {
  return html`<article class="you ${state}" aria-label="You">
    <h2 class="sr">You</h2>
    ${chips}
    <gantry-clamped-text .text=${text} .lines=${USER_LINES}></gantry-clamped-text>
    ${more}
  </article>`;
}

function waitingLine({ icon: sign, name, hint }: WaitingWords, messageId: string, post: Post): TemplateResult {
  const withdraw = (): void => post({ type: 'withdraw', messageId });
  return html`<div class="you-waits">
    <span class="tag" title=${hint}>${icon(sign)}${name}</span>
    <button class="ghost link" type="button" title="Take it back into the input" @click=${withdraw}>Withdraw</button>
  </div>`;
}

/** On hover and with focus inside. */
function toolbar(text: string, messageId: string, at: number | undefined, post: Post): TemplateResult {
  const rewind = (): void => post({ type: 'rewind', messageId });
  return html`<div class="you-bar">
    ${at === undefined ? nothing : html`<time datetime=${new Date(at).toISOString()}>${formatTime(at)}</time>`}
    <button class="icon" type="button" aria-label="Copy message" title="Copy message"
      @click=${() => post({ type: 'copy', text })}>${icon('copy')}</button>
    <button class="icon rewind when-still" type="button" aria-label="Rewind to here" title="Rewind to here"
      @click=${rewind}>${icon('discard')}</button>
  </div>`;
}
