import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { RewindFile } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { type IconName, icon } from '../base/icons.ts';

export interface FileActs {
  compare(path: string): void;
  /** Sets whether a file is restored although it was changed by somebody else. */
  overwrite(path: string, wanted: boolean): void;
}

const SIGNS: Readonly<Record<RewindFile['kind'], IconName>> = {
  restore: 'diff-modified',
  remove: 'diff-removed',
  changed: 'warning',
  lost: 'warning',
  blocked: 'warning',
};

/** The effect on each file, and why a file is not restored. */
export function rewindFiles(
  files: readonly RewindFile[],
  overwrite: readonly string[],
  acts: FileActs,
): TemplateResult {
  return html`<ul class="rewind-files" aria-label=${l10n.t('Files')}>
    ${files.map((file) => fileView(file, overwrite.includes(file.path), acts))}
  </ul>`;
}

function fileView(file: RewindFile, isOverwritten: boolean, acts: FileActs): TemplateResult {
  const { path, label, kind } = file;
  const isKept = kind === 'changed' && !isOverwritten;
  const sign = kind === 'changed' && isOverwritten ? (file.removes ? 'diff-removed' : 'diff-modified') : SIGNS[kind];
  const canCompare = kind !== 'lost' && kind !== 'blocked';
  return html`<li class="file">
    ${icon(sign, sign === 'warning' ? 'warn' : '')}
    ${
      canCompare
        ? html`<button class="ghost name" type="button" title=${l10n.t('Compare {0}', label)} @click=${() => acts.compare(path)}><span class="cut ltr">${label}</span></button>`
        : html`<span class="cut ltr" title=${label}>${label}</span>`
    }
    ${
      isKept
        ? html`<button class="ghost link" type="button" aria-label=${l10n.t('Compare {0}', label)}
            @click=${() => acts.compare(path)}>${l10n.t('Compare')}</button>`
        : counts(file)
    }
    <small>${whatHappens(file, isOverwritten)}</small>
    ${kind === 'changed' ? overwriteChoice(file, isOverwritten, acts) : nothing}
  </li>`;
}

function counts({ lines }: RewindFile): TemplateResult {
  if (!lines) return html`<span></span>`;
  const { added, removed } = lines;
  return html`<span class="count ltr">${added > 0 ? html`<span class="add">+${added}</span> ` : nothing}${
    removed > 0 ? html`<span class="del">−${removed}</span>` : nothing
  }</span>`;
}

function whatHappens({ kind, removes, reason }: RewindFile, isOverwritten: boolean): TemplateResult | string {
  switch (kind) {
    case 'changed':
      if (!isOverwritten) return kept(l10n.t('Someone edited it after Gantry did.'));
      break;
    case 'lost':
      return kept(l10n.t('Its earlier content is no longer stored.'));
    case 'blocked':
      return kept(reason ?? l10n.t("The file can't be read."));
  }
  return removes ? l10n.t('created after that point, will be deleted') : l10n.t('restored to its earlier text');
}

function kept(why: string): TemplateResult {
  return html`<b>${l10n.t('Kept.')}</b> ${why}`;
}

function overwriteChoice({ path, label }: RewindFile, isOverwritten: boolean, acts: FileActs): TemplateResult {
  const change = ({ target }: Event): void => acts.overwrite(path, (target as HTMLInputElement).checked);
  return html`<label class="opt">
    <input type="checkbox" aria-label=${l10n.t('Restore {0} anyway', label)} .checked=${isOverwritten} @change=${change} />
    <span class="small">${l10n.t('Restore anyway')}</span>
  </label>`;
}

/** Adds a file to the list, or removes it. */
export function chosen(overwrite: readonly string[], path: string, wanted: boolean): readonly string[] {
  const others = overwrite.filter((other) => other !== path);
  return wanted ? [...others, path] : others;
}
