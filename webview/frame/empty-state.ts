import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { PanelState } from '../../extension/protocol/panel/panel-messages.ts';
import { emit, postToHost } from '../base/events.ts';
import { type IconName, icon } from '../base/icons.ts';
import { filled } from '../base/shown-text.ts';

interface Suggestion {
  readonly icon: IconName;
  readonly text: string;
  readonly hint: string;
  readonly needsFolder?: boolean;
  /** True for a suggestion that changes files, which is not possible in Restricted Mode. */
  readonly changes?: boolean;
}

const guideSuggestions = (): readonly Suggestion[] => [
  {
    icon: 'compass',
    text: l10n.t('Walk through this folder'),
    hint: l10n.t('Reads files, shows each step'),
    needsFolder: true,
  },
  {
    icon: 'edit',
    text: l10n.t('Show me an edit'),
    hint: l10n.t('A change that requires approval'),
    needsFolder: true,
    changes: true,
  },
  { icon: 'info', text: l10n.t('What can Gantry do today?'), hint: l10n.t('What Gantry supports') },
  { icon: 'key', text: l10n.t('How do I connect a model?'), hint: l10n.t('A key, an account, a gateway') },
];

const modelSuggestions = (): readonly Suggestion[] => [
  {
    icon: 'compass',
    text: l10n.t('What does this project do?'),
    hint: l10n.t('Reads the README and the manifest'),
    needsFolder: true,
  },
  {
    icon: 'question',
    text: l10n.t('How do I build and test it?'),
    hint: l10n.t('Looks for scripts and settings'),
    needsFolder: true,
  },
];

const MARK = svg`<svg viewBox="0 0 28 28" aria-hidden="true"><path
  d="M3 6h22M7 6v17M21 6v17M4.5 23h5M18.5 23h5M14 6v5M11 11h6v6h-6z"/></svg>`;

/** The content of an empty conversation. Every suggestion works today. */
export function emptyState(state: PanelState): TemplateResult {
  return html`<div class="empty">
    <div class="promise">${MARK}${state.offline ? guidePromise(state) : modelPromise(state)}</div>
    ${suggestions(state.offline ? guideSuggestions() : modelSuggestions(), state)}
    ${state.offline ? (state.offlineBySetting ? settingBlock() : keyBlock()) : nothing} ${teaching(state)}
  </div>`;
}

/** Explains the input, and where to find more. */
function teaching({ readOnly }: PanelState): TemplateResult {
  const shortcuts = (event: Event): void => emit(event.currentTarget as Element, 'gantry-send', { text: '/shortcuts' });
  return html`<div class="teaching">
    <dl class="small">
      <dt><kbd>@</kbd></dt><dd>${l10n.t('adds files, symbols, problems')}</dd>
      <dt><kbd>/</kbd></dt><dd>${l10n.t('runs commands, such as /rewind')}</dd>
      ${readOnly ? nothing : html`<dt><kbd>!</kbd></dt><dd>${l10n.t('runs in your terminal')}</dd>`}
    </dl>
    <p class="acts">
      <button class="ghost link" type="button" @click=${shortcuts}>${l10n.t('Keyboard shortcuts')}</button>
      <button class="ghost link" type="button" @click=${openSettings}>${l10n.t('Settings')}</button>
    </p>
  </div>`;
}

const openSettings = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'openSettings' });

/** Opens the setting for the connection to a model. */
const openConnection = (event: Event): void =>
  postToHost(event.currentTarget as Element, { type: 'openSettings', setting: 'auth.method' });

function guidePromise(state: PanelState): TemplateResult {
  return html`<h2>${l10n.t('Try it without a model')}</h2>
    <p>
      ${
        state.offlineBySetting
          ? l10n.t('Your settings choose the built-in guide instead of a model. It is a script, not an AI.')
          : l10n.t('No model is connected, so a built-in guide answers. It is a script, not an AI.')
      }
      ${guideTools(state)}
    </p>
    ${trustWords(state)}`;
}

function guideTools({ hasFolder, readOnly }: PanelState): string {
  if (!hasFolder)
    return l10n.t('Everything else is real: open a folder, and it shows you the tools that a model gets.');
  if (readOnly) return l10n.t('Everything else is real: it uses the same tools as a model and shows every step.');
  return l10n.t(
    'Everything else is real: it uses the same tools as a model, shows every step, and asks before it changes anything.',
  );
}

function modelPromise(state: PanelState): TemplateResult {
  return html`<h2>${l10n.t('Ask about your code')}</h2>
    <p>${modelTools(state)}</p>
    ${trustWords(state)}`;
}

function modelTools({ hasFolder, readOnly }: PanelState): string {
  if (!hasFolder) return l10n.t('No folder is open, so Gantry has no files to read. It still answers questions.');
  if (readOnly) return l10n.t('Gantry reads the files it needs and shows every step.');
  return l10n.t(
    'Gantry reads the files it needs and shows every step. Before it changes a file or runs a command, it asks.',
  );
}

/** Explains Restricted Mode, and how to leave it. */
function trustWords({ hasFolder, readOnly }: PanelState): TemplateResult | typeof nothing {
  if (!hasFolder || !readOnly) return nothing;
  return html`<p>
    ${l10n.t('Until you trust this folder, Gantry only reads: it changes no file and runs no command. To trust it, select Manage Workspace Trust.')}
  </p>`;
}

function suggestions(all: readonly Suggestion[], { hasFolder, readOnly }: PanelState): TemplateResult | typeof nothing {
  const shown = all.filter(({ needsFolder, changes }) => (hasFolder || !needsFolder) && !(readOnly && changes));
  if (shown.length === 0) return nothing;
  return html`<div class="picks" role="group" aria-label=${l10n.t('Suggestions')}>
    ${shown.map(
      ({ icon: name, text, hint }) =>
        html`<button class="pick" type="button" @click=${(event: Event) => emit(event.currentTarget as Element, 'gantry-send', { text })}>
          ${icon(name)}<span>${text}</span>${icon('arrow-small-right')}<small>${hint}</small>
        </button>`,
    )}
  </div>`;
}

/** Offers the setting instead of an API key, which would have no effect. */
function settingBlock(): TemplateResult {
  return html`<div>
    <vscode-button appearance="primary" @click=${openConnection}>${l10n.t('Choose how to connect')}</vscode-button>
    <p class="small">${filled(l10n.t('{0} is set to offline, even if there is a key.'), html`<code>gantry.auth.method</code>`)}</p>
  </div>`;
}

function keyBlock(): TemplateResult {
  const setKey = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'setApiKey' });
  return html`<div>
    <div class="acts">
      <vscode-button appearance="primary" @click=${setKey}>${l10n.t('Set API key')}</vscode-button>
      <button class="ghost link" type="button" @click=${openConnection}>${l10n.t('Other ways to connect')}</button>
    </div>
    <p class="small">${filled(
      l10n.t(
        "The key is kept in VS Code's secret storage. You can also use {0} in your environment, Vertex AI, a Google account or a gateway.",
      ),
      html`<code>GEMINI_API_KEY</code>`,
    )}</p>
  </div>`;
}
