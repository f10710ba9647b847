import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';

export interface AskButton {
  readonly label: string;
  readonly appearance: 'primary' | 'secondary';
  readonly isBusy: boolean;
  /** Why the button is disabled. It is greyed, but remains reachable with the keyboard and for screen readers. */
  readonly gate?: string | undefined;
  act(): void;
}

export function askButton({ label, appearance, isBusy, gate, act }: AskButton): TemplateResult {
  // A property, because the toolkit passes it on to the inner button, but not an attribute.
  return html`<vscode-button appearance=${appearance} ?disabled=${isBusy} .ariaDisabled=${gate === undefined ? null : 'true'}
    title=${gate ?? nothing} @click=${act}>${label}</vscode-button>`;
}

interface ReasonField {
  readonly reason: string;
  readonly isBusy: boolean;
  change(reason: string): void;
  reject(): void;
  back(): void;
}

/** Replaces the other buttons while the reader writes the reason of a rejection. */
export function reasonView({ reason, isBusy, change, reject, back }: ReasonField): TemplateResult {
  return html`<input class="field" type="text" aria-label=${l10n.t('Why not')} placeholder=${l10n.t('What to do instead')} .value=${reason}
      @input=${(event: Event) => change((event.target as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.isComposing) reject();
      }} />
    <div class="acts">
      ${askButton({ label: l10n.t('Reject'), appearance: 'primary', isBusy, act: reject })}
      ${askButton({ label: l10n.t('Back'), appearance: 'secondary', isBusy, act: back })}
    </div>`;
}
