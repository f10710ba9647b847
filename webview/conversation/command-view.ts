import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { confinedWords } from '../../extension/protocol/agent/sandbox-block.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { formatDuration } from '../base/format.ts';
import { icon } from '../base/icons.ts';
import { exitWords } from './tool-presentation.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
type Command = NonNullable<ToolEntry['command']>;
type Post = (message: ToHost) => void;

/** A mark that the command is confined, with the name of the sandbox. */
export function confinedMark({ command }: ToolEntry): TemplateResult | typeof nothing {
  if (command?.confinedBy === undefined) return nothing;
  const words = confinedWords(command.confinedBy);
  return html`<span class="confined" role="img" aria-label=${words} title=${words}>${icon('shield')}</span>`;
}

/** The status and the duration at the end of the line. */
export function commandStatus(
  { id, subject, summary }: ToolEntry,
  command: Command,
  tone: string,
  hasTerminal: boolean,
  post: Post,
): TemplateResult {
  const { state, startedAt, durationMs } = command;
  const open = (): void => post({ type: 'openTerminal', callId: id });
  const terminal = html`<button class="icon" type="button" aria-label=${l10n.t('Open terminal of {0}', subject)} title=${l10n.t('Open terminal')}
    @click=${open}>${icon('terminal')}</button>`;
  switch (state) {
    case 'running':
      return html`<span class="exit"><gantry-clock .since=${startedAt}></gantry-clock></span>`;
    case 'waiting':
      return html`<span class="exit"><b class="warn">${l10n.t('Waiting for input')}</b></span>`;
    case 'background':
      return html`<span class="exit">${l10n.t('in background')} · <gantry-clock .since=${startedAt}></gantry-clock></span>
        ${terminal}`;
    case 'ended':
    case 'lost': {
      const took = durationMs === undefined ? nothing : html` · ${formatDuration(durationMs)}`;
      const stop = (): void => post({ type: 'stopCommand', callId: id });
      return html`<span class="exit ltr"><span class=${tone}>${exitWords(summary)}</span>${took}</span>
        ${hasTerminal ? terminal : nothing}
        ${
          command.outlived
            ? html`<button class="ghost" type="button" aria-label=${l10n.t('Stop command')}
              title=${l10n.t('Stop this command')} @click=${stop}>${l10n.t('Stop')}</button>`
            : nothing
        }`;
    }
  }
}

/** The last lines of a running command, and its buttons. The height is fixed, so that nothing moves while it fills. */
export function commandBox(
  { id }: ToolEntry,
  command: Command,
  tail: TemplateResult | typeof nothing,
  post: Post,
): TemplateResult {
  const waits = command.state === 'waiting';
  const wide = waits ? l10n.t('Answer in terminal') : l10n.t('Open terminal');
  const act = (type: 'openTerminal' | 'moveToBackground' | 'stopCommand') => (): void => post({ type, callId: id });
  return html`<div class="command well ${waits ? 'waits' : ''}">
    ${tail}
    <div class="well-foot">
      <button class="ghost link" type="button" aria-label=${wide}
        @click=${act('openTerminal')}>
        ${icon('terminal')}<span class="w-wide">${wide}</span><span class="w-narrow">${waits ? l10n.t('Answer') : l10n.t('Open')}</span>
      </button>
      <span class="grow"></span>
      ${
        command.typed === undefined
          ? html`<button class="ghost" type="button" aria-label=${l10n.t('Move to background')}
              title=${l10n.t('Move to background')}
              @click=${act('moveToBackground')}><span class="w-wide">${l10n.t('Move to background')}</span><span class="w-narrow">${l10n.t('Background')}</span></button>`
          : nothing
      }
      <button class="ghost" type="button" aria-label=${l10n.t('Stop command')} title=${l10n.t('Stop this command')}
        @click=${act('stopCommand')}>${l10n.t('Stop')}</button>
    </div>
  </div>`;
}
