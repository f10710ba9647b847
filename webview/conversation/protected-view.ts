import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import {
  fileWords,
  leftToPutBack,
  type ProtectedEntry,
  type ProtectedFile,
  protectedCause,
  protectedTitle,
} from '../../extension/protocol/transcript/protected-entry.ts';
import { icon } from '../base/icons.ts';
import { shown } from '../base/shown-text.ts';

type Post = (message: ToHost) => void;

/** Protected files that a command changed. It is a quiet line once everything is restored. */
export function protectedView(entry: ProtectedEntry, post: Post): TemplateResult {
  const { change, files, more } = entry;
  if (more === undefined && files.every(({ state }) => state === 'back')) {
    const names = files.map(({ name }) => name).join(', ');
    return html`<div class="note">${icon('check')}<span>${shown(l10n.t('Put back: {0}', names))}</span></div>`;
  }
  const left = leftToPutBack(entry);
  const putBack = (): void => post({ type: 'putBack', change });
  const alone = files.length === 1 ? files.map((file) => showButton(file, change, post)) : [];
  return html`<div class="alert warning" role="alert">
    ${icon('shield')}
    <h2>${protectedTitle(entry)}</h2>
    <p>${shown(protectedCause(entry))}</p>
    <ul class="touched">
      ${files.map((file) => fileView(file, change, post))}
      ${more === undefined ? nothing : html`<li class="muted">${l10n.t('{0} more', more)}</li>`}
    </ul>
    ${left.length + alone.length === 0 ? nothing : html`<div class="acts">${putBackButton(left.length, putBack)}${alone}</div>`}
  </div>`;
}

/** With several files, each name links to its own change. */
function fileView(file: ProtectedFile, change: string, post: Post): TemplateResult {
  const show = (event: Event): void => {
    // VS Code follows links in webviews by itself. This link is handled here.
    event.preventDefault();
    post({ type: 'showProtectedChange', change, path: file.path });
  };
  return html`<li>
    <a class="obj ltr" href="#" title=${l10n.t('Show change')} @click=${show} @auxclick=${show}>${shown(file.name)}</a>
    <span class="muted">${shown(fileWords(file))}</span>
  </li>`;
}

function putBackButton(count: number, putBack: () => void): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  const label = count === 1 ? l10n.t('Put it back') : l10n.t('Put them back');
  return html`<vscode-button appearance="primary" @click=${putBack}>${label}</vscode-button>`;
}

function showButton({ path }: ProtectedFile, change: string, post: Post): TemplateResult {
  const show = (): void => post({ type: 'showProtectedChange', change, path });
  return html`<vscode-button appearance="secondary" @click=${show}>${l10n.t('Show change')}</vscode-button>`;
}
