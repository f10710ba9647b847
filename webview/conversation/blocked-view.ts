import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { BlockedKind } from '../../extension/protocol/agent/sandbox-block.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { icon } from '../base/icons.ts';
import { filled, shown } from '../base/shown-text.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
type Post = (message: ToHost) => void;
type Allowed = NonNullable<NonNullable<ToolEntry['command']>['allowed']>[number];

/** What the sandbox blocked for a command, with actions for the user. Empty for most commands. */
export function blockedView({ id, subject, command }: ToolEntry, post: Post): TemplateResult | typeof nothing {
  const { blocked, allowed = [] } = command ?? {};
  if (!blocked) return nothing;
  const { paths, hosts, closedHosts = [], folders = [] } = blocked;
  const closed = paths.filter((path) => !folders.some((folder) => isIn(folder, path)));
  const opening = (kind: BlockedKind, index: number, what: string): Opening => ({
    kind,
    what,
    since: allowed.find((each) => each.what === what),
    allow: (always) => post({ type: 'allowBlocked', callId: id, kind, index, always }),
  });
  return html`<div class="alert warning blocked" role="group" aria-label=${l10n.t('Blocked by the sandbox: {0}', subject)}>
    ${icon('shield')}
    <h2>${l10n.t('The sandbox blocked')}</h2>
    <ul>
      ${folders.map((folder, index) => {
        const inside = paths.filter((path) => isIn(folder, path));
        return html`<li>${inside.map(pathView)} ${openingView(opening('folder', index, folder))}</li>`;
      })}
      ${hosts.map((host, index) => html`<li>${pathView(host)} ${openingView(opening('host', index, host))}</li>`)}
      ${closedHosts.map(
        (host) => html`<li>${pathView(host)}
          <p class="muted">${l10n.t("It can't be opened: hosts are reached through a proxy, which the program did not use or which does not work here.")}</p></li>`,
      )}
      ${closed.map(
        (path) => html`<li>${pathView(path)}
          <p class="muted">${l10n.t("You can't allow it here, because it is protected or secret, or its folder holds too much else.")}</p></li>`,
      )}
    </ul>
    <div class="acts">
      <vscode-button appearance="secondary" @click=${() => post({ type: 'runOutside', callId: id })}>${l10n.t('Run outside the sandbox…')}</vscode-button>
    </div>
  </div>`;
}

interface Opening {
  readonly kind: BlockedKind;
  readonly what: string;
  /** Set if the user has allowed it since. */
  readonly since: Allowed | undefined;
  allow(always: boolean): void;
}

function openingView({ kind, what, since, allow }: Opening): TemplateResult {
  if (since) {
    const words = since.always ? l10n.t('Always allowed: {0}') : l10n.t('Allowed for this session: {0}');
    return html`<p class="open">${icon('check')}<span>${filled(words, html`<span class="mono">${shown(what)}</span>`)}</span></p>`;
  }
  const question = kind === 'host' ? l10n.t('Allow this host {0}') : l10n.t('Allow the folder {0}');
  const name =
    kind === 'host'
      ? l10n.t('Allow the host {0} for this session', what)
      : l10n.t('Allow the folder {0} for this session', what);
  const always =
    kind === 'host' ? l10n.t('Always allow the host {0}', what) : l10n.t('Always allow the folder {0}', what);
  return html`<p class="muted">${filled(question, html`<span class="mono">${kind === 'host' ? nothing : shown(what)}</span>`)}</p>
    <div class="acts">
      <button class="ghost link" type="button" aria-label=${name} @click=${() => allow(false)}>${l10n.t('For this session')}</button>
      <button class="ghost link" type="button" aria-label=${always} @click=${() => allow(true)}>${l10n.t('Always')}</button>
    </div>`;
}

function pathView(path: string): TemplateResult {
  return html`<div class="mono what">${shown(path)}</div>`;
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
