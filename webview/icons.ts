import { html, type TemplateResult } from 'lit';

/** The codicons in use; styles/icons.css has a rule for each, and a test compares the two with the package. */
export const ICONS = [
  'arrow-down',
  'arrow-small-right',
  'arrow-up',
  'check',
  'chevron-down',
  'chevron-right',
  'chip',
  'circle-slash',
  'clockface',
  'close',
  'compass',
  'copy',
  'debug-disconnect',
  'debug-stop',
  'error',
  'file-code',
  'info',
  'key',
  'loading',
  'question',
  'settings-gear',
  'thinking',
  'tools',
  'warning',
  'workspace-untrusted',
] as const;

export type IconName = (typeof ICONS)[number];

export function icon(name: IconName, extraClass = ''): TemplateResult {
  return html`<i class="codicon codicon-${name} ${extraClass}" aria-hidden="true"></i>`;
}
