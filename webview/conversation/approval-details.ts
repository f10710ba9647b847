import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ApprovalDetails, ApprovalRequest } from '../../extension/protocol/agent/approval.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { visiblePieces } from '../../extension/protocol/words/visible-text.ts';
import { icon } from '../base/icons.ts';
import { filled, shown, worded, wordedLine } from '../base/shown-text.ts';
import { type AskedApproval, isCut } from './approval-answer.ts';
import { changedDiffLines, diffView } from './diff-view.ts';

type Of<Type extends ApprovalDetails['type']> = Extract<ApprovalDetails, { type: Type }>;
type EditedFile = Of<'edit'>['files'][number];

/** Exactly what would be allowed. Text wraps, so nothing is cut or scrolled sideways. */
export function detailsView(
  details: ApprovalDetails | undefined,
  message: string,
  post: (message: ToHost) => void,
): TemplateResult | typeof nothing {
  switch (details?.type) {
    case 'edit':
      return html`${details.files.map((file) => editView(file, post))}`;
    case 'exec':
      return html`${details.reason ? subView(details.reason) : nothing}
        ${textView(l10n.t('Command'), details.command)} ${subView(html`${filled(l10n.t('In {0}'), html`<span class="mono">${shown(details.folder)}</span>`)}`)}
        ${details.sandbox === undefined ? nothing : subView(sandboxWords(details.sandbox))}`;
    case 'fetch':
      // Without whitespace between the elements, because it would be displayed here.
      return html`<div class="ask-what ask-read mono" role="group" aria-label=${l10n.t('Addresses')} tabindex="0"><ul>${details.urls.map(
        (url) => html`<li>${shown(url)}</li>`,
      )}</ul></div>`;
    case 'mcp':
      return html`${subView(
        details.runsInClient
          ? l10n.t('The program that gave this task runs this call and sends the result. You can only reject it.')
          : html`${filled(l10n.t('{0} of the server {1}'), details.tool, html`<b>${details.server}</b>`)}`,
      )} ${textView(l10n.t('Arguments'), details.args)}`;
    case 'ask_user':
    case 'plan':
      return nothing;
    case 'info':
      return textView(l10n.t('Details'), details.text);
    default:
      return message === '' ? nothing : textView(l10n.t('Details'), message);
  }
}

function sandboxWords(where: 'inside' | 'outside'): string {
  return where === 'inside'
    ? l10n.t(
        'In the sandbox, the command can change only the open folders, except protected files, and can reach only the hosts that you allow.',
      )
    : l10n.t('Outside the sandbox, the command can do everything that you can.');
}

/** All text that the user reads before answering, to find hidden characters in it. */
export function textToApprove(details: ApprovalDetails | undefined, message: string): string {
  switch (details?.type) {
    case 'edit':
      return details.files.map(({ path, patch }) => `${path}\n${patch}`).join('\n');
    case 'exec':
      return details.command;
    case 'fetch':
      return details.urls.join('\n');
    case 'mcp':
      return details.args;
    case 'plan':
    case 'info':
      return details.text;
    default:
      return message;
  }
}

/** Text that exceeds the box scrolls, and must be scrolled to its end before approval. */
function textView(name: string, text: string): TemplateResult {
  return html`<div class="ask-what ask-read mono" role="group" aria-label=${name} tabindex="0">${shown(text)}</div>`;
}

function subView(content: TemplateResult | string): TemplateResult {
  return html`<div class="ask-sub">${typeof content === 'string' ? shown(content) : content}</div>`;
}

function editView(
  { path, fullPath, isNew, patch, added, removed }: EditedFile,
  post: (message: ToHost) => void,
): TemplateResult {
  const open = (event: Event): void => {
    event.preventDefault();
    post({ type: 'openFile', path });
  };
  const name = isNew
    ? html`<span class="mono" title=${fullPath ?? nothing}>${shown(path)}</span>`
    : html`<a href="#" title=${fullPath ?? nothing} @click=${open} @auxclick=${open}>${shown(path)}</a>`;
  const isOnlyAdded = removed === 0;
  return html`<div class="ask-sub">
      ${name}
      <span class="nowrap">
        ${added === 0 && !isOnlyAdded ? nothing : html`<span class="add">+${added}</span>`}
        ${isOnlyAdded ? nothing : html`<span class="del">−${removed}</span>`}
      </span>
      ${isNew ? html`<span>${l10n.t('new file')}</span>` : nothing}
    </div>
    ${diffView(path, changedDiffLines(patch), 'ask-read')}`;
}

/** Notes that the reader needs before answering. */
export function notesView(
  { message, request }: AskedApproval,
  gate: string | undefined,
  post: (message: ToHost) => void,
): TemplateResult {
  const isHiding = visiblePieces(textToApprove(request?.details, message)).some(({ hidden }) => hidden);
  const sign = isCut(request?.details) ? 'diff' : 'arrow-down';
  return html`${isHiding ? hiddenNote() : nothing}
    ${gate === undefined ? nothing : html`<p class="why">${icon(sign)}<span>${gate}</span></p>`}
    ${request?.why ? html`<p class="why quiet">${icon('law')}${whyView(request, post)}</p>` : nothing}`;
}

/** For an edit, one line is enough. For a command, the reason is never cut. */
function whyView({ details, why }: ApprovalRequest, post: (message: ToHost) => void): TemplateResult {
  const line = details.type === 'edit' ? wordedLine(why, post) : undefined;
  return line ?? html`<span>${worded(why, post)}</span>`;
}

function hiddenNote(): TemplateResult {
  return html`<p class="why">
    ${icon('warning')}<span>${l10n.t('Contains invisible characters, which are shown as codes.')}</span>
  </p>`;
}
