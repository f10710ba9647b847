import { html, nothing, type TemplateResult } from 'lit';
import type { RewindFile } from '../../extension/protocol/sheets-to-panel.ts';
import { type IconName, icon } from '../icons.ts';

export interface FileActs {
  compare(path: string): void;
  /** Whether one that somebody else changed is put back all the same. */
  overwrite(path: string, wanted: boolean): void;
}

const SIGNS: Readonly<Record<RewindFile['kind'], IconName>> = {
  restore: 'diff-modified',
  remove: 'diff-removed',
  changed: 'warning',
  lost: 'warning',
  blocked: 'warning',
};

/** What would become of each file, and why one stays as it is. */
export function rewindFiles(
  files: readonly RewindFile[],
  overwrite: readonly string[],
  acts: FileActs,
): TemplateResult {
  return html`<ul class="rewind-files" aria-label="Files">
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
        ? html`<button class="ghost name" type="button" title="Compare ${label}" @click=${() => acts.compare(path)}><span class="cut ltr">${label}</span></button>`
        : html`<span class="cut ltr" title=${label}>${label}</span>`
    }
    ${
      isKept
        ? html`<button class="ghost link" type="button" aria-label="Compare ${label}"
            @click=${() => acts.compare(path)}>Compare</button>`
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
      if (!isOverwritten) return html`<b>Kept.</b> Someone edited it after Gantry did.`;
      break;
    case 'lost':
      return html`<b>Kept.</b> Its earlier content is not stored any more.`;
    case 'blocked':
      return html`<b>Kept.</b> ${reason ?? 'It cannot be read.'}`;
  }
  return removes ? 'created after that point, will be deleted' : 'back to its text of then';
}

function overwriteChoice({ path, label }: RewindFile, isOverwritten: boolean, acts: FileActs): TemplateResult {
  const change = ({ target }: Event): void => acts.overwrite(path, (target as HTMLInputElement).checked);
  return html`<label class="opt">
    <input type="checkbox" aria-label="Put ${label} back anyway" .checked=${isOverwritten} @change=${change} />
    <span class="small">Put back anyway</span>
  </label>`;
}

/** The list with a file in it, or without it. */
export function chosen(overwrite: readonly string[], path: string, wanted: boolean): readonly string[] {
  const others = overwrite.filter((other) => other !== path);
  return wanted ? [...others, path] : others;
}
