import { html, nothing, type TemplateResult } from 'lit';
import type { ApprovalDetails } from '../../extension/protocol/approval.ts';
import type { ToHost } from '../../extension/protocol/panel-messages.ts';
import { visiblePieces } from './approval-presentation.ts';
import { type DiffLine, diffLines } from './diff-lines.ts';

type Of<Type extends ApprovalDetails['type']> = Extract<ApprovalDetails, { type: Type }>;
type EditedFile = Of<'edit'>['files'][number];

/** What exactly would be allowed. Text wraps: nothing of it is cut or scrolled sideways. */
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
        ${textView(details.command)} ${subView(html`in <span class="mono">${shown(details.folder)}</span>`)}`;
    case 'fetch':
      return html`<ul class="ask-what mono">${details.urls.map((url) => html`<li>${shown(url)}</li>`)}</ul>`;
    case 'plan':
      return html`<div class="ask-what plan"><gantry-clamped-text .text=${details.text} .lines=${PLAN_LINES}></gantry-clamped-text></div>`;
    case 'mcp':
      return html`${subView(html`${details.tool} of the server <b>${details.server}</b>`)} ${textView(details.args)}`;
    case 'ask_user':
      return nothing;
    default:
      return message === '' ? nothing : textView(message);
  }
}

/** Text whose hidden characters are shown by their codes. */
export function shown(text: string): (TemplateResult | string)[] {
  return visiblePieces(text).map(({ text: piece, hidden }) =>
    hidden ? html`<span class="glyph">${piece}</span>` : piece,
  );
}

/** Everything a person reads before they say yes, to look for what cannot be seen. */
export function wordsOf(details: ApprovalDetails | undefined, message: string): string {
  switch (details?.type) {
    case 'edit':
      return details.files.map(({ path, patch }) => `${path}\n${patch}`).join('\n');
    case 'exec':
      return details.command;
    case 'fetch':
      return details.urls.join('\n');
    case 'mcp':
      return details.args;
    default:
      return message;
  }
}

/** A plan is to be read before it is approved. */
const PLAN_LINES = 40;

function textView(text: string): TemplateResult {
  return html`<div class="ask-what mono">${shown(text)}</div>`;
}

function subView(content: TemplateResult | string): TemplateResult {
  return html`<div class="ask-sub">${typeof content === 'string' ? shown(content) : content}</div>`;
}

function editView({ path, isNew, patch, added, removed }: EditedFile, post: (message: ToHost) => void): TemplateResult {
  const open = (event: Event): void => {
    event.preventDefault();
    post({ type: 'openFile', path });
  };
  const name = isNew
    ? html`<span class="mono">${shown(path)}</span>`
    : html`<a href="#" @click=${open} @auxclick=${open}>${shown(path)}</a>`;
  return html`<div class="ask-sub">
      ${name} <span class="nowrap"><span class="add">+${added}</span> <span class="del">−${removed}</span></span>
      ${isNew ? html`<span>new file</span>` : nothing}
    </div>
    <div class="diff mono" role="group" tabindex="0" aria-label="Changes to ${path}">${diffLines(patch).map(lineView)}</div>`;
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: '+', removed: '−', gap: '' };

function lineView({ kind, number, text }: DiffLine): TemplateResult {
  if (kind === 'gap') return html`<div class="gap">${text}</div>`;
  return html`<div class=${kind}><i>${number}</i><u>${SIGNS[kind]}</u><span>${shown(text)}</span></div>`;
}
