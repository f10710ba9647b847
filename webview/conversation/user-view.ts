import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { SendKey } from '../../extension/protocol/panel/input-to-panel.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { formatTime } from '../base/format.ts';
import { icon } from '../base/icons.ts';
import { sentChips } from '../composer/chips.ts';
import { canEdit, type Editing } from '../state/editing.ts';
import './message-editor.ts';

type UserEntry = Extract<Entry, { kind: 'user' }>;

/** Enough lines to recognise a message. A button shows the rest. */
const USER_LINES = 30;
/** The maximum number of lines of a steering message, which people keep short. */
const STEERING_LINES = 4;

/** The actions for a message. */
export interface MessageActs {
  readonly post: (message: ToHost) => void;
  /** Opens the preview of a rewind to the message. */
  readonly rewind: (messageId: string) => void;
  readonly edit: (messageId: string, text: string) => void;
}

/** A user message with its actions. Pending messages are on the shelf instead. */
export function userView(entry: UserEntry, acts: MessageActs): TemplateResult | typeof nothing {
  const { text, pending, attachments = [], editor } = entry;
  if (pending) return nothing;
  const open = (path: string, line: number | undefined): void => openFile(acts, path, line);
  if (entry.steered) return steeredView(entry, acts);
  return article('', text, sentChips(attachments, editor, open), toolbar(entry, acts));
}

/** A steering message, which does not start a turn. */
function steeredView(entry: UserEntry, acts: MessageActs): TemplateResult {
  const { text, attachments = [] } = entry;
  return html`<article class="note steered" aria-label=${l10n.t('You')}>
    <h2 class="sr">${l10n.t('You steered')}</h2>
    ${icon('debug-step-into')}<span aria-hidden="true">${l10n.t('You steered:')}</span>
    <gantry-clamped-text .text=${text} .lines=${STEERING_LINES}></gantry-clamped-text>
    ${attachments.length === 0 ? nothing : sentChips(attachments, undefined, (path, line) => openFile(acts, path, line))}
    ${toolbar(entry, acts)}
  </article>`;
}

function openFile({ post }: MessageActs, path: string, line: number | undefined): void {
  post({ type: 'openFile', path, ...(line !== undefined && { line }) });
}

/** The message while it is being edited. */
export function editedView({ attachments = [] }: UserEntry, editing: Editing, sendKey: SendKey): TemplateResult {
  return html`<article class="you editing" aria-label=${l10n.t('You')}>
    <h2 class="sr">${l10n.t('You')}</h2>
    ${attachments.length === 0 ? nothing : sentChips(attachments, undefined, () => undefined)}
    <gantry-message-editor .editing=${editing} .sendKey=${sendKey}></gantry-message-editor>
  </article>`;
}

/** A sent message that the host has not shown yet. */
export function sendingView(text: string): TemplateResult {
  return article('sending', text, nothing, nothing);
}

type Part = TemplateResult | typeof nothing;

function article(state: string, text: string, chips: Part, more: Part): TemplateResult {
  return html`<article class="you ${state}" aria-label=${l10n.t('You')}>
    <h2 class="sr">${l10n.t('You')}</h2>
    ${chips}
    <gantry-clamped-text .text=${text} .lines=${USER_LINES}></gantry-clamped-text>
    ${more}
  </article>`;
}

/** Visible on hover, or while it contains the focus. */
function toolbar({ text, messageId, at }: UserEntry, { post, rewind, edit }: MessageActs): TemplateResult {
  return html`<div class="you-bar">
    ${at === undefined ? nothing : html`<time datetime=${new Date(at).toISOString()}>${formatTime(at)}</time>`}
    ${
      canEdit(text)
        ? html`<button class="icon opens when-still edit-message" type="button" aria-label=${l10n.t('Edit and resend')}
            title=${l10n.t('Edit and resend')}
            @click=${() => edit(messageId, text)}>${icon('edit')}</button>`
        : nothing
    }
    <button class="icon rewind when-still" type="button" aria-label=${l10n.t('Rewind to here')} title=${l10n.t('Rewind to here')}
      @click=${() => rewind(messageId)}>${icon('discard')}</button>
    <button class="icon" type="button" aria-label=${l10n.t('Copy message')} title=${l10n.t('Copy message')}
      @click=${() => post({ type: 'copy', text })}>${icon('copy')}</button>
  </div>`;
}
