import * as l10n from '@vscode/l10n';
import { html, render } from 'lit';
import { icon } from '../base/icons.ts';
import type { HostPort } from '../state/host.ts';

/** Limits the reports, because an error that repeats on every frame must not flood the log. */
const MAX_REPORTS = 20;
const MAX_LENGTH = 4000;

/** Chromium reports this if a resize needs a second layout. It is harmless. */
const HARMLESS = /ResizeObserver loop/;

/** An error in one element does not affect the others: it is logged, and the reader can restart the view. */
export function guardView(host: HostPort, restart: () => void): void {
  const place = document.createElement('div');
  document.body.prepend(place);
  let reports = 0;

  const fail = (error: unknown): void => {
    const message = describe(error);
    if (HARMLESS.test(message)) return;
    if (reports++ < MAX_REPORTS) host.post({ type: 'viewError', message: message.slice(0, MAX_LENGTH) });
    show();
  };

  const reload = (): void => {
    render(null, place);
    restart();
  };

  const show = (): void => {
    const alert = html`<div class="alert error view-failure" role="alert">
      ${icon('error')}
      <h2>${l10n.t('This view stopped working')}</h2>
      <p>${l10n.t('The session is safe.')}</p>
      <div class="acts">
        <vscode-button appearance="primary" @click=${reload}>${l10n.t('Reload view')}</vscode-button>
        <button class="ghost link" type="button" @click=${() => host.post({ type: 'showLog' })}>${l10n.t('Show log')}</button>
      </div>
    </div>`;
    render(alert, place);
  };

  window.addEventListener('error', (event) => fail(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => fail(event.reason));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
