import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { readHostMessage, type ToHost } from '../../../extension/protocol/panel/host-messages.ts';
import type { PageLanguage } from '../../../extension/protocol/panel/page-data.ts';
import type { PanelState, ToPanel } from '../../../extension/protocol/panel/panel-messages.ts';
import type { Entry, TranscriptChange } from '../../../extension/protocol/transcript/transcript-entry.ts';
// For what the elements have that tests find in the page by their tags.
import type {} from '../../../webview/conversation/conversation.ts';
import type {} from '../../../webview/conversation/entry-view.ts';
import { eventually } from '../poll.ts';
import { resultsDir } from '../repo.ts';
import { isFullRun } from '../test-size.ts';
import type { ColorTheme } from '../workbench.ts';
import { applyTheme, postToPanel } from './in-page.ts';
import { webviewTheme } from './theme.ts';
import { ToldConversation } from './told-conversation.ts';

export interface PanelOptions {
  readonly theme?: ColorTheme;
  /** In CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  /** The panel stands still: at this time, with no motion, and in the letters of the pictures. */
  readonly at?: number;
  /** How many pixels of the screen a CSS pixel is wide: 2 at a zoom of 200 %. */
  readonly scale?: number;
  /** What the reader's system asks of pages. */
  readonly media?: Parameters<Page['emulateMedia']>[0];
  readonly entries?: readonly Entry[];
  readonly state?: Partial<PanelState>;
  /** What a page in another place has saved. */
  readonly carried?: string;
  /** English unless it says something else. */
  readonly language?: PageLanguage;
  /** Leaves the panel before the host has said anything. */
  readonly silent?: boolean;
}

const STATE: PanelState = {
  title: 'A session',
  running: false,
  model: 'gemini-2.5-pro',
  offline: false,
  approvalMode: 'default',
  canUndoRewind: false,
  readOnly: false,
  hasFolder: true,
  context: { used: 12_000, window: 1_000_000, masked: 0, leftOut: 0 },
  compression: { at: 0.5 },
  spent: { input: 12_000, output: 800 },
};

type Message<Type extends ToHost['type']> = Extract<ToHost, { type: Type }>;

/** The built panel in a browser page, and the host's end of its wire. */
export class PanelPage {
  /** Everything that the panel has said, in order. */
  readonly received: ToHost[] = [];
  /** Addresses outside the panel's own folder that the page asked for. */
  readonly strayRequests: string[] = [];
  /** Errors and warnings of the page's console. */
  readonly complaints: string[] = [];
  /** Everything that was posted to it, in order. */
  readonly posted: ToPanel[] = [];
  private readonly told: ToldConversation;
  private posting: Promise<void> = Promise.resolve();
  private state: PanelState;
  private silent: boolean;

  constructor(
    readonly page: Page,
    /** Where the page is served. */
    readonly address: string,
    { entries = [], state = {}, silent = false }: PanelOptions,
  ) {
    this.told = new ToldConversation(entries, (message) => void this.post(message));
    this.state = { ...STATE, ...state };
    this.silent = silent;
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: 'Message' });
  }

  get conversation(): Locator {
    return this.page.getByRole('log', { name: 'Conversation' });
  }

  get announced(): Locator {
    return this.page.locator('.sr[role=status]');
  }

  /** In the order of the calls. Resolves when the panel has taken it. */
  post(message: ToPanel): Promise<void> {
    this.posted.push(message);
    // A page that is being closed has nobody to take it.
    this.posting = this.posting.then(() => this.page.evaluate(postToPanel, message)).catch(() => undefined);
    return this.posting;
  }

  /** Shows another conversation, as when another session is opened. */
  async show(entries: readonly Entry[]): Promise<void> {
    this.told.replace(entries);
    this.told.feed.open();
    await this.posting;
  }

  /** The conversation as the host has it; the panel holds a part. */
  get entries(): readonly Entry[] {
    return this.told.entries;
  }

  /** Told to the panel with the next frame. Resolves when that is done. */
  async change(...changes: TranscriptChange[]): Promise<void> {
    this.told.change(...changes);
    this.told.feed.flush();
    await this.posting;
  }

  /** Told to the panel with the next frame, as the host does it. */
  stream(...changes: TranscriptChange[]): void {
    this.told.change(...changes);
  }

  /** An entry is added at the end, or replaced. */
  async put(...entries: Entry[]): Promise<void> {
    await this.change(...entries.map((entry) => ({ op: 'put' as const, entry })));
  }

  async setState(state: Partial<PanelState>): Promise<void> {
    this.state = { ...this.state, ...state };
    await this.post({ type: 'state', state: this.state });
  }

  /** The next message of this type that no earlier call has returned. */
  async next<Type extends ToHost['type']>(type: Type): Promise<Message<Type>> {
    return eventually(`"${type}" from the panel`, () => {
      const at = this.received.findIndex((message) => message.type === type && !this.returned.has(message));
      const message = this.received[at];
      if (message === undefined) return undefined;
      this.returned.add(message);
      return message as Message<Type>;
    });
  }

  /** The number of the last question for suggestions, once it is about what was typed last. */
  async lastSuggest(typed: string): Promise<number> {
    return eventually(`a question for suggestions for "${typed}"`, () => {
      const asked = this.received.findLast((message) => message.type === 'suggest');
      return asked?.type === 'suggest' && typed.endsWith(asked.query) && asked.query !== '' ? asked.id : undefined;
    });
  }

  async setTheme(theme: ColorTheme): Promise<void> {
    await this.page.evaluate(applyTheme, webviewTheme(theme));
  }

  async setWidth(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: this.page.viewportSize()?.height ?? 700 });
  }

  /** What has changed so far is on the screen. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  /** The page goes and comes anew, as when the view is hidden and shown; VS Code keeps its state. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.begun();
  }

  /** The page comes again after it was left. */
  async return(): Promise<void> {
    await this.page.goto(this.address);
    await this.begun();
  }

  /** The panel has what the host says to a page that is ready. */
  async begun(): Promise<void> {
    await this.next('ready');
    await this.posting;
  }

  /** For people to look at before a release, in test-results/screenshots/component. */
  async screenshot(name: string): Promise<void> {
    if (isFullRun) await this.picture(name);
  }

  /** There too, in any run. */
  async picture(name: string): Promise<void> {
    const path = join(resultsDir, 'screenshots', 'component', `${name}.png`);
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled' });
  }

  private readonly returned = new Set<ToHost>();

  /** What the panel said. */
  take(data: unknown): void {
    const message = readHostMessage(data);
    assert.ok(message.success, `The panel posted something of the wrong shape: ${JSON.stringify(data)}`);
    this.received.push(message.data);
    if (this.silent) return;
    if (message.data.type === 'ready') this.begin(message.data);
    if (message.data.type === 'window') this.told.feed.show(message.data.around);
    if (message.data.type === 'find') this.told.feed.find(message.data);
  }

  private begin(ready: Message<'ready'>): void {
    void this.post({ type: 'state', state: this.state });
    this.told.feed.open(ready);
  }
}
