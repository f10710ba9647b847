import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { Grant } from '../../extension/protocol/agent/approval.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { filled } from '../filled.ts';
import { worded } from '../shown-text.ts';

export interface GrantChoice {
  readonly grants: readonly Grant[];
  readonly chosen: string | undefined;
  readonly scope: 'workspace' | 'user';
  /** Tells the choices of several cards apart. */
  readonly name: string;
  pick(grant: string): void;
  pickScope(scope: 'workspace' | 'user'): void;
  post(message: ToHost): void;
}

/** What a wider yes covers is said before it is given. */
export function grantsView({ grants, chosen, scope, name, pick, pickScope, post }: GrantChoice): TemplateResult {
  const [only] = grants;
  const onScope = (event: Event): void =>
    pickScope((event.target as HTMLSelectElement).value === 'user' ? 'user' : 'workspace');
  return html`<div class="grants">
    ${
      grants.length > 1
        ? html`<fieldset>
            <legend class="small muted">${l10n.t('For the session or always')}</legend>
            ${grants.map(
              ({ id, covers }) => html`<label class="opt">
                <input type="radio" name="grant-${name}" .checked=${id === chosen} @change=${() => pick(id)} />
                <span class="small">${worded(covers, post)}</span>
              </label>`,
            )}
          </fieldset>`
        : html`<p class="small muted">${filled(l10n.t('For the session or always: {0}'), worded(only?.covers ?? '', post))}</p>`
    }
    <label class="small muted scope">
      ${filled(
        l10n.t('“Always” holds in {0}'),
        html`<select class="field slim" @change=${onScope}>
          <option value="workspace" ?selected=${scope === 'workspace'}>${l10n.t('this folder')}</option>
          <option value="user" ?selected=${scope === 'user'}>${l10n.t('every folder')}</option>
        </select>`,
      )}
    </label>
  </div>`;
}
