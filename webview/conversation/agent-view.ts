import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { formatCount } from '../../extension/protocol/words/numbers.ts';
import { formatClock } from '../base/format.ts';
import { icon } from '../base/icons.ts';
import { shown } from '../base/shown-text.ts';
import { thinkingTitle } from './text-excerpt.ts';
import { stepLine } from './tool-presentation.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
type Work = NonNullable<ToolEntry['agent']>;

interface AgentContext {
  readonly open: boolean;
  toggle(): void;
  post(message: ToHost): void;
  /** Shows the whole thread in place of the conversation. */
  openThread(callId: string, threadId: string): void;
}

/** A subagent: its task, name and progress, with its newest steps below. */
export function agentView(entry: ToolEntry, agent: Work, context: AgentContext): TemplateResult {
  const { open, toggle } = context;
  const running = entry.status === 'running';
  return html`<div class="agent">
      ${signOf(entry, agent)}
      <span class="cut" title=${entry.subject}>${shown(entry.subject || entry.name)}</span>
      <span class="end">
        ${agent.waits ? html`<b class="warn">${l10n.t('Needs you')}</b>` : timeView(entry, running)}
        <button class="icon" type="button" aria-expanded=${open} aria-label=${open ? l10n.t('Hide thread') : l10n.t('Show thread')}
          @click=${toggle}>${icon(open ? 'chevron-down' : 'chevron-right', 'chevron')}</button>
      </span>
      <small class="cut">${subtitle(entry, agent)}</small>
    </div>
    ${open ? bodyView(entry, agent, context) : nothing}`;
}

function signOf({ status }: ToolEntry, { waits }: Work): TemplateResult {
  if (waits) return icon('bell-dot', 'warn');
  switch (status) {
    case 'running':
      return icon('loading', 'spin');
    case 'error':
      return icon('error', 'bad');
    case 'cancelled':
      return icon('circle-slash');
    case 'success':
      return icon('check');
  }
}

function timeView({ at, tookMs }: ToolEntry, running: boolean): TemplateResult | typeof nothing {
  if (running) return at === undefined ? nothing : html`<gantry-clock .since=${at}></gantry-clock>`;
  return tookMs === undefined ? nothing : html`<span>${formatClock(tookMs / 1000)}</span>`;
}

/** "investigator · turn 6 of 50", or finally "investigator · done in 4 turns". */
export function subtitle(
  { status, summary }: Pick<ToolEntry, 'status' | 'summary'>,
  { name, turns, maxTurns }: Work,
): string {
  const how = status === 'running' ? turnWords(turns + 1, maxTurns) : endWords(status, turns);
  // `how` already tells how it ended; only an error needs its summary.
  const rest = status === 'error' ? summary : '';
  return [name, how, rest].filter((part) => part !== '').join(' · ');
}

function turnWords(turn: number, maxTurns: number | undefined): string {
  return maxTurns === undefined ? l10n.t('turn {0}', turn) : l10n.t('turn {0} of {1}', turn, maxTurns);
}

function endWords(status: Exclude<ToolEntry['status'], 'running'>, turns: number): string {
  const isOne = turns === 1;
  // How many turns an agent of another service needed is not known.
  const isUnknown = turns === 0;
  switch (status) {
    case 'success':
      if (isUnknown) return l10n.t('done');
      return isOne ? l10n.t('done in 1 turn') : l10n.t('done in {0} turns', turns);
    case 'error':
      if (isUnknown) return l10n.t('failed');
      return isOne ? l10n.t('failed after 1 turn') : l10n.t('failed after {0} turns', turns);
    case 'cancelled':
      if (isUnknown) return l10n.t('stopped');
      return isOne ? l10n.t('stopped after 1 turn') : l10n.t('stopped after {0} turns', turns);
  }
}

function bodyView(entry: ToolEntry, agent: Work, context: AgentContext): TemplateResult {
  const { detail } = entry;
  const running = entry.status === 'running';
  const title = running ? thinkingTitle(agent.thoughts) : '';
  return html`<div class="step-body agent-body">
    ${running && agent.maxTurns !== undefined ? progressView(agent.turns, agent.maxTurns) : nothing}
    ${agent.earlier === 0 ? nothing : earlierView(entry, agent, context)}
    ${agent.steps.map(stepView)}
    ${agent.words === '' ? nothing : html`<p class="small agent-words" dir="auto">${shown(agent.words.trim())}</p>`}
    ${
      running && agent.thoughts !== ''
        ? html`<div class="step-row">${icon('loading', 'spin')}<span class="what"><b class="obj">${l10n.t('Thinking')}</b><span class="cut">${title}</span></span></div>`
        : nothing
    }
    ${running || detail === '' ? nothing : html`<gantry-clamped-text .text=${detail}></gantry-clamped-text>`}
    ${actsView(entry, agent, context)}
  </div>`;
}

function earlierView({ id }: ToolEntry, { earlier, threadId }: Work, { openThread }: AgentContext): TemplateResult {
  const words = earlier === 1 ? l10n.t('1 earlier step') : l10n.t('{0} earlier steps', earlier);
  return html`<div class="step-row">
    ${icon('ellipsis')}<span class="not-in-editor">${words}</span>
    <button class="ghost link only-in-editor" type="button" @click=${() => openThread(id, threadId)}>${words}</button>
  </div>`;
}

/** Stop ends only this subagent. Its leader is told what it was doing. */
function actsView({ id, status }: ToolEntry, agent: Work, { openThread, post }: AgentContext): TemplateResult {
  const stop = (): void => post({ type: 'stopAgent', callId: id });
  return html`<div class="acts agent-acts">
    <button class="ghost link only-in-editor" type="button" @click=${() => openThread(id, agent.threadId)}>${l10n.t('Open thread')}</button>
    ${
      status === 'running'
        ? html`<button class="ghost only-in-editor" type="button" aria-label=${l10n.t('Stop {0}', agent.name)}
            @click=${stop}>${l10n.t('Stop')}</button>`
        : nothing
    }
    <span class="small muted push">${usedText(agent)}${
      agent.model === undefined ? nothing : html`<span class="w-wide"> · ${agent.model}</span>`
    }</span>
  </div>`;
}

/** "38k tokens · gemini-2.5-flash" */
export function tokensText({ tokens, model }: Work): string {
  return [usedText({ tokens }), model ?? ''].filter((part) => part !== '').join(' · ');
}

/** Empty as long as it is not known, which it never is for an agent of another service. */
function usedText({ tokens }: Pick<Work, 'tokens'>): string {
  return tokens === 0 ? '' : l10n.t('{0} tokens', formatCount(tokens));
}

export function progressView(turns: number, maxTurns: number): TemplateResult {
  return html`<progress class="track" max=${maxTurns} value=${turns} aria-label=${l10n.t('Turns used')}></progress>`;
}

function stepView(step: Work['steps'][number]): TemplateResult {
  const line = stepLine({ kind: 'tool', ...step, detail: '' });
  return html`<div class="step-row">
    ${icon(line.icon, line.tone)}
    <span class="what"><span>${line.verb}</span><span class="obj cut ltr">${shown(step.subject)}</span><span class="cut detail">${shown(step.summary)}</span></span>
  </div>`;
}
