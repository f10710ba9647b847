import * as l10n from '@vscode/l10n';
import { TranscriptFeed } from '../../extension/protocol/feed/feed.ts';
import { readHostMessage, type ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { PAGE_TEXTS } from '../../extension/protocol/panel/page-data.ts';
import type { PanelState, ToPanel } from '../../extension/protocol/panel/panel-messages.ts';
import { useTexts } from '../../extension/protocol/panel/use-texts.ts';
import { turnAnswer } from '../../extension/protocol/transcript/entry-text.ts';
import { REPLAY_DATA, type Replay, readReplay } from '../../extension/protocol/transcript/replay.ts';
import { CODE_COLOURS } from './code-colours.ts';

const DARK = window.matchMedia('(prefers-color-scheme: dark)');
const CONTRAST = window.matchMedia('(prefers-contrast: more)');

/** Sets the theme classes that VS Code sets; `replay.css` has the colors. Follows the reader's system settings. */
function followTheme(): void {
  const show = (): void => {
    const { classList, dataset } = document.body;
    classList.remove('vscode-dark', 'vscode-light', 'vscode-high-contrast', 'vscode-high-contrast-light');
    if (CONTRAST.matches) classList.add('vscode-high-contrast');
    if (CONTRAST.matches && !DARK.matches) classList.add('vscode-high-contrast-light');
    if (!CONTRAST.matches) classList.add(DARK.matches ? 'vscode-dark' : 'vscode-light');
    dataset['vscodeThemeId'] = DARK.matches ? 'dark' : 'light';
  };
  document.body.classList.add('replay');
  for (const media of [DARK, CONTRAST]) media.addEventListener('change', show);
  show();
}

/** Replaces VS Code for the panel in a standalone, read-only page. Runs in the browser, before the panel. */
class PageHost {
  private readonly feed: TranscriptFeed;

  constructor(private readonly replay: Replay) {
    const byId = new Map(replay.entries.map((entry) => [entry.id, entry]));
    const source = { entries: replay.entries, entry: (id: string) => byId.get(id) };
    this.feed = new TranscriptFeed(source, (message) => this.post(overAndDone(message)));
  }

  /** A finished conversation opens at its beginning. */
  get savedView(): unknown {
    const [first] = this.replay.entries;
    return { version: 1, draft: '', lastRef: 0, opened: [], ...(first && { place: { id: first.id, offset: 0 } }) };
  }

  take(data: unknown): void {
    const message = readHostMessage(data);
    if (message.success) void this.handle(message.data);
  }

  /** All other messages need an editor and are ignored. */
  private async handle(message: ToHost): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.post({ type: 'state', state: stateOf(this.replay) });
        this.feed.open(message);
        break;
      case 'window':
        this.feed.show(message.around);
        break;
      case 'find':
        this.feed.find(message);
        break;
      case 'tokenColours':
        this.post({
          type: 'tokenColours',
          colours: message.theme === 'light' ? CODE_COLOURS.light : CODE_COLOURS.dark,
        });
        break;
      case 'copy':
        await navigator.clipboard.writeText(message.text);
        break;
      case 'copyTurn':
        await navigator.clipboard.writeText(turnAnswer(this.replay.entries, message.id));
        break;
      case 'openLink':
        openLink(message.url);
        break;
    }
  }

  /** Asynchronous like real messages, because the panel may be in the middle of an update. */
  private post(data: ToPanel): void {
    setTimeout(() => window.dispatchEvent(new MessageEvent('message', { data })));
  }
}

/** Removes the open entries, so that no entry has working buttons. */
function overAndDone(message: ToPanel): ToPanel {
  return message.type === 'transcript' ? { ...message, facts: { ...message.facts, open: [] } } : message;
}

function stateOf({ title, madeAt }: Replay): PanelState {
  return {
    title,
    replayOf: madeAt,
    running: false,
    model: '',
    offline: false,
    approvalMode: 'default',
    canUndoRewind: false,
    readOnly: false,
    hasFolder: false,
    context: { used: 0, window: 1, masked: 0, leftOut: 0 },
    compression: { at: 1 },
    spent: { input: 0, output: 0 },
  };
}

/** The text of a link may be misleading, so the full address is shown first. */
function openLink(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['https:', 'http:', 'mailto:'].includes(url.protocol)) return;
  if (window.confirm(`${l10n.t('Open this address from the conversation?')}\n\n${url.href}`))
    window.open(url.href, '_blank', 'noopener,noreferrer');
}

declare global {
  interface Window {
    acquireVsCodeApi(): unknown;
  }
}

useTexts(document.getElementById(PAGE_TEXTS)?.textContent);
const host = new PageHost(readReplay(document.getElementById(REPLAY_DATA)?.textContent ?? ''));
followTheme();
window.acquireVsCodeApi = () => ({
  postMessage: (message: unknown) => host.take(message),
  getState: () => host.savedView,
  setState: () => undefined,
});
