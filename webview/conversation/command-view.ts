import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/host-messages.ts';
import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { formatDuration } from '../format.ts';
import { icon } from '../icons.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
type Command = NonNullable<ToolEntry['command']>;
type Post = (message: ToHost) => void;

/** At the end of the line: how it is doing, and for how long. */
export function commandEnd(
  { id, subject, summary }: ToolEntry,
  command: Command,
  tone: string,
  post: Post,
): TemplateResult {
  const { state, startedAt, durationMs } = command;
  switch (state) {
    case 'running':
      return html`<span class="exit"><gantry-clock .since=${startedAt}></gantry-clock></span>`;
    case 'waiting':
      return html`<span class="exit"><b class="warn">Waiting for input</b></span>`;
    case 'background': {
      const open = (): void => post({ type: 'openTerminal', callId: id });
      return html`<span class="exit">in background · <gantry-clock .since=${startedAt}></gantry-clock></span>
        <button class="icon" type="button" aria-label="Open terminal of ${subject}" title="Open terminal"
          @click=${open}>${icon('terminal')}</button>`;
    }
    case 'ended':
    case 'lost': {
      const took = durationMs === undefined ? nothing : html` · ${formatDuration(durationMs)}`;
      const stop = (): void => post({ type: 'stopCommand', callId: id });
      return html`<span class="exit ltr"><span class=${tone}>${summary}</span>${took}</span>
        ${
          command.outlived
            ? html`<button class="ghost" type="button" aria-label="Stop command" title="Stop this command" @click=${stop}>Stop</button>`
            : nothing
        }`;
    }
  }
}

/** While it runs: the last lines, and what can be done. Always as high, so that nothing moves while it fills. */
export function commandBox(
  { id }: ToolEntry,
  command: Command,
  tail: TemplateResult | typeof nothing,
  post: Post,
): TemplateResult {
  const waits = command.state === 'waiting';
  const act = (type: 'openTerminal' | 'moveToBackground' | 'stopCommand') => (): void => post({ type, callId: id });
  return html`<div class="command well ${waits ? 'waits' : ''}">
    ${tail}
    <div class="well-foot">
      <button class="ghost link" type="button" aria-label=${waits ? 'Answer in terminal' : 'Open terminal'}
        @click=${act('openTerminal')}>
        ${icon('terminal')}<span>${waits ? 'Answer' : 'Open'}<span class="w-wide">${waits ? ' in terminal' : ' terminal'}</span></span>
      </button>
      <span class="grow"></span>
      ${
        command.typed === undefined
          ? html`<button class="ghost" type="button" aria-label="Move to background" title="Move to background"
              @click=${act('moveToBackground')}><span class="w-wide">Move to background</span><span class="w-narrow">Background</span></button>`
          : nothing
      }
      <button class="ghost" type="button" aria-label="Stop command" title="Stop this command" @click=${act('stopCommand')}>Stop</button>
    </div>
  </div>`;
}
