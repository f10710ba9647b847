import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { formatDuration, formatTime } from '../base/format.ts';
import { type IconName, icon } from '../base/icons.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import type { EntryCell } from '../state/transcript.ts';
import { agentView } from './agent-view.ts';
import './clock.ts';
import { blockedView } from './blocked-view.ts';
import { commandBox, commandStatus, confinedMark } from './command-view.ts';
import { diffLines, diffView } from './diff-view.ts';
import { problemButtons, problemLook } from './problem-presentation.ts';
import './results.ts';
import { shown } from '../base/shown-text.ts';
import { type StepLine, stepLine, toolIcon } from './tool-presentation.ts';
import { resultRows, searchedText } from './tool-results.ts';

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** The surroundings of an entry's view. */
export interface ViewContext {
  readonly cell: EntryCell;
  readonly answers: KeptAnswers;
  /** True if the diff of the edit is open in an editor. */
  readonly inEditor: boolean;
  /** On the last of several pending edits, their number. */
  readonly editsTogether: number | undefined;
  allowEdits(): void;
  readonly open: boolean;
  /** For a command, true if its terminal still exists. */
  readonly hasTerminal: boolean;
  readonly running: boolean;
  /** True if the entry's buttons are enabled. */
  readonly current: boolean;
  toggle(): void;
  post(message: ToHost): void;
  /** Shows the whole thread of a subagent in place of the conversation. */
  openThread(callId: string, threadId: string): void;
}

export function answerView(_entry: Of<'answer'>, { cell }: ViewContext): TemplateResult {
  return html`<article class="answer" aria-label="Gantry">
    <h2 class="sr">Gantry</h2>
    <gantry-markdown class="md" .cell=${cell}></gantry-markdown>
  </article>`;
}

/** The article keeps the focus when the question in it is answered and its buttons are removed. */
export function toolView(entry: Of<'tool'>, context: ViewContext): TemplateResult {
  return html`<article class="step" aria-label=${l10n.t('Tool: {0}', entry.name)} tabindex="-1">
    ${
      entry.approval
        ? html`<gantry-approval .approval=${entry.approval} .kept=${context.answers}
            .inEditor=${context.inEditor} .sign=${toolIcon(entry.name)}></gantry-approval>
            ${allowAllView(context)}`
        : entry.agent
          ? agentView(entry, entry.agent, context)
          : stepView(entry, context)
    }
  </article>`;
}

/** One answer for all edits of a step, below the last one. */
function allowAllView({ editsTogether, allowEdits }: ViewContext): TemplateResult | typeof nothing {
  if (editsTogether === undefined) return nothing;
  return html`<div class="ask-all">
    <vscode-button appearance="secondary" @click=${allowEdits}>${l10n.t('Allow all {0} edits', editsTogether)}</vscode-button>
  </div>`;
}

function stepView(entry: Of<'tool'>, { open, hasTerminal, toggle, post }: ViewContext): TemplateResult {
  const line = stepLine(entry);
  // If a command could not run, the summary shows the reason, which needs more space than the command status.
  const command = entry.status === 'error' ? undefined : entry.command;
  const canOpen = line.detail !== '' || entry.patch !== undefined;
  const onRow = (event: Event): void => {
    if (canOpen && !(event.target as Element).closest('a, button')) toggle();
  };
  return html`<div class="step-row ${canOpen ? 'opens' : ''}" @click=${onRow}>
      ${icon(line.icon, line.tone)}
      <span class="what">
        ${line.verb === '' ? nothing : html`<span class=${command && command.typed === undefined ? 'w-wide' : ''} title=${whenView(entry)}>${line.verb}</span>`}
        ${subjectView(entry.subject, line, post)}
        ${command ? nothing : summaryView(line)}
      </span>
      ${confinedMark(entry)}
      ${command ? commandStatus(entry, command, line.tone, hasTerminal, post) : nothing}
      ${
        canOpen
          ? html`<button class="icon" type="button" aria-expanded=${open} aria-label=${open ? l10n.t('Hide details') : l10n.t('Show details')}
              @click=${toggle}>${chevron(open)}</button>`
          : nothing
      }
    </div>
    ${isLive(command) ? commandBox(entry, command, outputView(entry, line, open), post) : open && canOpen ? bodyView(entry, line) : nothing}
    ${blockedView(entry, post)}`;
}

/** When the call started and how long it took, for the tooltip. */
function whenView({ at, tookMs }: Of<'tool'>): string | typeof nothing {
  if (at === undefined) return nothing;
  return tookMs === undefined ? formatTime(at) : l10n.t('{0}, took {1}', formatTime(at), formatDuration(tookMs));
}

function isLive(command: Of<'tool'>['command']): command is NonNullable<typeof command> {
  return command?.state === 'running' || command?.state === 'waiting';
}

function outputView(entry: Of<'tool'>, line: StepLine, open: boolean): TemplateResult {
  return open && line.detail !== ''
    ? bodyView(entry, line)
    : html`<pre class="tail mono" aria-label=${l10n.t('Output, last lines')}>${line.tail}</pre>`;
}

function summaryView({ summary: { text, kind }, tone }: StepLine): TemplateResult | typeof nothing {
  if (text === '') return nothing;
  switch (kind) {
    case 'reason':
      return html`<span class="cut reason" title=${text}>${text}</span>`;
    case 'count': {
      const [counts = '', ...asides] = text.split(' · ');
      const [added, removed] = counts.split(' ');
      const aside = asides.join(' · ');
      return html`<span class="count ltr"><span class="add">${added}</span> ${removed === '−0' ? nothing : html`<span class="del">${removed}</span>`}</span>
        ${aside === '' ? nothing : html`<span class="cut detail" title=${aside}>${aside}</span>`}`;
    }
    case 'exit':
      return html`<span class="exit ${tone} ltr">${text}</span>`;
    case 'note':
      return html`<span class="cut detail ltr" title=${text}>${text}</span>`;
  }
}

function bodyView(entry: Of<'tool'>, { detail }: StepLine): TemplateResult {
  const { subject, patch, why } = entry;
  const rows = resultRows(entry);
  if (rows) {
    return html`<div class="step-body">
      <gantry-results .rows=${rows} .searched=${searchedText(entry)}></gantry-results>
      ${why ? html`<p class="small muted">${shown(why)}</p>` : nothing}
    </div>`;
  }
  if (patch === undefined) {
    return html`<div class="step-body"><gantry-clamped-text class="mono" .text=${detail}></gantry-clamped-text></div>`;
  }
  return html`<div class="step-body">
    <div class="well">${diffView(subject, diffLines(patch))}</div>
    ${why ? html`<p class="small muted">${shown(why)}</p>` : nothing}
  </div>`;
}

function subjectView(
  subject: string,
  { file, isCode }: Pick<StepLine, 'file' | 'isCode'>,
  post: (message: ToHost) => void,
): TemplateResult | typeof nothing {
  if (subject === '') return nothing;
  if (!file) return html`<span class="obj cut ${isCode ? 'mono' : 'ltr'}" title=${subject}>${subject}</span>`;
  const open = (event: Event): void => {
    // VS Code follows links in webviews by itself. This link is handled here.
    event.preventDefault();
    event.stopPropagation();
    post({ type: 'openFile', ...file });
  };
  return html`<a class="obj cut ltr" href="#" title=${subject} @click=${open} @auxclick=${open}>${subject}</a>`;
}

export function problemView({ problem }: Of<'problem'>, { current, running, post }: ViewContext): TemplateResult {
  const look = problemLook(problem.kind);
  if (!current) {
    const text = `${problem.title}. ${problem.detail}`;
    return html`<div class="note past" title=${text}>${icon(look.icon)}<span>${problem.title}</span></div>`;
  }
  const buttons = problemButtons(problem, running);
  return html`<div class="alert ${look.tone}" role="alert">
    ${icon(look.icon)}
    <h2>${problem.title}</h2>
    <p>${problem.detail}</p>
    ${buttons.length === 0 ? nothing : html`<div class="acts">${buttons.map((button) => actionButton(button, post))}</div>`}
  </div>`;
}

function actionButton(
  { label, style, message }: ReturnType<typeof problemButtons>[number],
  post: (message: ToHost) => void,
): TemplateResult {
  const act = (): void => post(message);
  if (style === 'link') return html`<button class="ghost link" type="button" @click=${act}>${label}</button>`;
  return html`<vscode-button appearance=${style} @click=${act}>${label}</vscode-button>`;
}

const NOTE_ICONS: Readonly<Record<Of<'note'>['icon'], IconName>> = {
  stop: 'debug-stop',
  limit: 'warning',
  info: 'info',
};

export function noteView(entry: Of<'note'>, { current, post }: ViewContext): TemplateResult {
  const continueRun = (): void => post({ type: 'continue' });
  return html`<div class="note">
    ${icon(NOTE_ICONS[entry.icon])}<span>${entry.text}</span>
    ${current ? html`<button class="ghost link when-still" type="button" @click=${continueRun}>${l10n.t('Continue')}</button>` : nothing}
  </div>`;
}

/** The wait ends with Stop in the composer. */
export function retryView({ why, until, attempt, attempts }: Of<'retry'>): TemplateResult {
  return html`<div class="alert warning" role="alert">
    ${icon('clockface')}
    <h2>${shown(why)}</h2>
    <p>${l10n.t('Nothing is lost, and Gantry continues automatically. Select Stop to end it here.')}</p>
    <p class="wait"><gantry-countdown .until=${until}></gantry-countdown><span class="muted">${l10n.t('attempt {0} of {1}', attempt, attempts)}</span></p>
  </div>`;
}

export function chevron(open: boolean): TemplateResult {
  return icon(open ? 'chevron-down' : 'chevron-right', 'chevron');
}
