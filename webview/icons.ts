import { html, type TemplateResult } from 'lit';

/** The codicons in use; styles/icons.css has a rule for each, and a test compares the two with the package. */
export const ICONS = [
  'arrow-down',
  'arrow-small-right',
  'arrow-up',
  'bell-dot',
  'check',
  'checklist',
  'chevron-down',
  'chevron-right',
  'chip',
  'circle-slash',
  'clockface',
  'close',
  'comment-discussion',
  'compass',
  'copy',
  'debug-disconnect',
  'debug-step-into',
  'debug-stop',
  'discard',
  'edit',
  'error',
  'file-code',
  'files',
  'folder-opened',
  'globe',
  'history',
  'info',
  'key',
  'law',
  'list-flat',
  'list-ordered',
  'loading',
  'lock',
  'pinned',
  'question',
  'references',
  'save',
  'search',
  'settings-gear',
  'shield',
  'symbol-method',
  'terminal',
  'thinking',
  'tools',
  'trash',
  'warning',
  'workspace-untrusted',
] as const;

export type IconName = (typeof ICONS)[number];

export function icon(name: IconName, extraClass = ''): TemplateResult {
  return html`<i class="codicon codicon-${name} ${extraClass}" aria-hidden="true"></i>`;
}
