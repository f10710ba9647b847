import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ContextShares } from '../../extension/protocol/agent/context-shares.ts';
import type { PanelState } from '../../extension/protocol/panel/panel-messages.ts';
import { emit, postToHost } from '../base/events.ts';
import { formatDate } from '../base/format.ts';
import { type IconName, icon } from '../base/icons.ts';
import { shown } from '../base/shown-text.ts';

/** The fixed parts around the conversation. */
export function sessionBar({ title, replayOf, elsewhere }: PanelState): TemplateResult {
  const sessions = (event: Event): void => emit(event.currentTarget as Element, 'gantry-sheet', { kind: 'sessions' });
  const find = (event: Event): void => emit(event.currentTarget as Element, 'gantry-find-open', undefined);
  const name = l10n.t('Sessions');
  const sessionsButton = html`<button class="icon sessions-button" type="button" aria-label=${name} title=${name}
    aria-describedby=${elsewhere ? ELSEWHERE_WORDS : nothing} @click=${sessions}>
    ${icon('history')}${elsewhereBadge(elsewhere)}</button>`;
  return html`<header class="session-bar">
    ${replayOf === undefined ? sessionsButton : nothing}
    <h1 class="cut grow" title=${title}>${title}</h1>
    ${replayOf === undefined ? nothing : madeAt(replayOf)}
    <button class="icon find-button" type="button" aria-label=${l10n.t('Find in conversation')}
      title=${l10n.t('Find in conversation (Ctrl+F)')}
      @click=${find}>${icon('search')}</button>
  </header>`;
}

function madeAt(time: number): TemplateResult {
  return html`<time class="small muted" datetime=${new Date(time).toISOString()}>Gantry, ${formatDate(time)}</time>`;
}

export function heldBanner(heldBy: string): TemplateResult {
  const copy = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'openCopy' });
  return html`<div class="banner" role="status">
    ${icon('lock')}
    <p>${l10n.t('This session is open in {0}. It can only be read here.', heldBy)}</p>
    <div class="acts">
      <vscode-button class="slim" appearance="secondary" @click=${copy}>${l10n.t('Open a copy')}</vscode-button>
    </div>
  </div>`;
}

export function rewoundLine(): TemplateResult {
  const undo = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'undoRewind' });
  return html`<div class="note rewound">
    ${icon('discard')}<span>${l10n.t('Rewound.')}</span>
    <button class="ghost link" type="button" @click=${undo}>${l10n.t('Undo rewind')}</button>
  </div>`;
}

const manageTrust = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'manageTrust' });

export function restrictedBanner(): TemplateResult {
  return html`<div class="banner" role="status">
    ${icon('workspace-untrusted')}
    <p>
      <b>${l10n.t('Read-only.')}</b>
      ${l10n.t("This folder is not trusted. Gantry can read and explain it, but it can't change or run anything.")}
    </p>
    <div class="acts">
      <vscode-button class="slim" appearance="secondary" @click=${manageTrust}>${l10n.t('Manage Workspace Trust')}</vscode-button>
    </div>
  </div>`;
}

const MODE_ICONS: Readonly<Record<PanelState['approvalMode'], IconName>> = {
  default: 'shield',
  autoEdit: 'edit',
  plan: 'checklist',
  yolo: 'warning',
};

export function statusRow(state: PanelState, shares: ContextShares): TemplateResult {
  const { model, readOnly, context, compression, spent } = state;
  const select = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'selectModel' });
  return html`<div class="status">
    ${readOnly ? readOnlyMode() : modeButton(state)}
    <button class="ghost" type="button" aria-label=${l10n.t('Model: {0}', model)} title=${l10n.t('Select model')} @click=${select}>
      ${icon('chip')}<span class="cut">${model}</span>
    </button>
    <gantry-context .use=${context} .compression=${compression} .spent=${spent} .shares=${shares}></gantry-context>
  </div>`;
}

function modeButton({ approvalMode }: PanelState): TemplateResult {
  const setMode = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'setApprovalMode' });
  return html`<button class="ghost mode ${approvalMode}" type="button" aria-label=${l10n.t('Approval mode: {0}', approvalMode)}
    title=${l10n.t('Set approval mode')} @click=${setMode}>
    ${icon(MODE_ICONS[approvalMode])}<span>${approvalMode}</span>
  </button>`;
}

/** In Restricted Mode, the approval mode has no effect. */
function readOnlyMode(): TemplateResult {
  const words = l10n.t('read-only');
  return html`<button class="ghost mode" type="button" aria-label=${l10n.t('Approval mode: {0}', words)}
    title=${l10n.t('Gantry only reads until you trust this folder. Select to manage trust.')} @click=${manageTrust}>
    ${icon('lock')}<span>${words}</span>
  </button>`;
}

export function placeholder(state: PanelState | undefined): string {
  if (state?.heldBy !== undefined) return l10n.t('Open a copy to continue here');
  if (state?.running) return l10n.t('Steer this turn, or queue the next one');
  if (state?.offline) return l10n.t('Ask the guide');
  if (state?.readOnly && state.hasFolder) return l10n.t('Ask about this folder');
  return l10n.t('Ask, @ for context, / for commands');
}

const ELSEWHERE_WORDS = 'sessions-elsewhere';

type Elsewhere = NonNullable<PanelState['elsewhere']>;

/** The badge of the sessions button: the number of other sessions that need the user, or a dot for new answers. */
function elsewhereBadge(elsewhere: PanelState['elsewhere']): TemplateResult | typeof nothing {
  if (!elsewhere) return nothing;
  const { needYou, answered } = elsewhere;
  const badge = needYou > 0 ? html`<span class="badge" aria-hidden="true">${needYou}</span>` : nothing;
  const dot = needYou === 0 && answered > 0 ? html`<span class="badge dot" aria-hidden="true"></span>` : nothing;
  return html`${badge}${dot}<span class="sr" id=${ELSEWHERE_WORDS}>${elsewhereWords(elsewhere)}</span>`;
}

function elsewhereWords({ needYou, running, answered }: Elsewhere): string {
  const words: string[] = [];
  if (needYou === 1) words.push(l10n.t('Another session needs you.'));
  if (needYou > 1) words.push(l10n.t('{0} other sessions need you.', needYou));
  if (answered === 1) words.push(l10n.t('Another session has answered.'));
  if (answered > 1) words.push(l10n.t('{0} other sessions have answered.', answered));
  if (running === 1) words.push(l10n.t('Another session is running.'));
  if (running > 1) words.push(l10n.t('{0} other sessions are running.', running));
  return words.join(' ');
}

const acts = () =>
  ({
    'review-hooks': { label: l10n.t('Review hooks'), message: { type: 'reviewHooks' } },
    'review-mcp-servers': { label: l10n.t('Review MCP servers'), message: { type: 'reviewMcpServers' } },
    'review-agents': { label: l10n.t('Review agents'), message: { type: 'reviewAgents' } },
    'open-policies': { label: l10n.t('Open policies'), message: { type: 'openPolicies' } },
  }) as const;

/** Shows what the next message can do now that the folder is trusted. */
export function trustCard({ lines, actions }: NonNullable<PanelState['trustNews']>): TemplateResult {
  const buttons = actions.map((action) => {
    const { label, message } = acts()[action];
    const act = (event: Event): void => postToHost(event.currentTarget as Element, message);
    return html`<vscode-button appearance="secondary" @click=${act}>${label}</vscode-button>`;
  });
  return html`<div class="note">${icon('workspace-trusted')}<span>${l10n.t('Folder trusted')}</span></div>
    <div class="alert news" role="status">
      ${icon('unlock')}
      <h2>${l10n.t('From the next message')}</h2>
      ${lines.map((line) => html`<p>${shown(line)}</p>`)}
      ${buttons.length === 0 ? nothing : html`<div class="acts">${buttons}</div>`}
    </div>`;
}
