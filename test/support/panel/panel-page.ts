import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { readHostMessage, type ToHost } from '../../../extension/protocol/panel/host-messages.ts';
import type { PageLanguage } from '../../../extension/protocol/panel/page-data.ts';
import type { PanelState, ToPanel } from '../../../extension/protocol/panel/panel-messages.ts';
import type { Entry, TranscriptChange } from '../../../extension/protocol/transcript/transcript-entry.ts';
// Declares the types of elements that tests find in the page by their tags.
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
  /** Freezes the panel at this time, without motion and with the fonts of the reference pictures. */
  readonly at?: number;
  /** The number of device pixels per CSS pixel: 2 at a zoom of 200 %. */
  readonly scale?: number;
  /** The media preferences of the reader's system. */
  readonly media?: Parameters<Page['emulateMedia']>[0];
  readonly entries?: readonly Entry[];
  readonly state?: Partial<PanelState>;
  /** The state that a page in another place has saved. */
  readonly carried?: string;
  /** English by default. */
  readonly language?: PageLanguage;
  /** Opens the panel without sending any message of the host. */
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

/** The built panel in a browser page, and the host's side of its connection. */
export class PanelPage {
  /** All messages of the panel, in order. */
  readonly received: ToHost[] = [];
  /** Requested URLs outside the panel's own folder. */
  readonly strayRequests: string[] = [];
  /** The errors and warnings in the page's console. */
  readonly complaints: string[] = [];
  /** All messages that were posted to the panel, in order. */
  readonly posted: ToPanel[] = [];
  private readonly told: ToldConversation;
  private posting: Promise<void> = Promise.resolve();
  private state: PanelState;
  private silent: boolean;

  constructor(
    readonly page: Page,
    /** The URL of the page. */
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

  /** Posts messages in the order of the calls. Resolves when the panel has received the message. */
  post(message: ToPanel): Promise<void> {
    this.posted.push(message);
    // A page that is being closed can't receive the message.
    this.posting = this.posting.then(() => this.page.evaluate(postToPanel, message)).catch(() => undefined);
    return this.posting;
  }

  /** Shows another conversation, as when another session is opened. */
  async show(entries: readonly Entry[]): Promise<void> {
    this.told.replace(entries);
    this.told.feed.open();
    await this.posting;
  }

  /** The conversation of the host; the panel has only a part of it. */
  get entries(): readonly Entry[] {
    return this.told.entries;
  }

  /** Applies changes and sends them to the panel. Resolves when that is done. */
  async change(...changes: TranscriptChange[]): Promise<void> {
    this.told.change(...changes);
    this.told.feed.flush();
    await this.posting;
  }

  /** Applies changes, which are sent with the next frame, as the host does. */
  stream(...changes: TranscriptChange[]): void {
    this.told.change(...changes);
  }

  /** Appends or replaces entries. */
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

  /** The id of the last request for suggestions, once it is for the text typed last. */
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

  /** Resolves when all changes so far are on the screen. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  /** Reloads the page, as when the view is hidden and shown again. VS Code keeps its state. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.begun();
  }

  /** Loads the page again after it was left. */
  async return(): Promise<void> {
    await this.page.goto(this.address);
    await this.begun();
  }

  /** Resolves when the panel has received the host's messages to a new page. */
  async begun(): Promise<void> {
    await this.next('ready');
    await this.posting;
  }

  /** Saves a picture for review before a release, in test-results/screenshots/component. */
  async screenshot(name: string): Promise<void> {
    if (isFullRun) await this.picture(name);
  }

  /** Saves a picture there in any run. */
  async picture(name: string): Promise<void> {
    const path = join(resultsDir, 'screenshots', 'component', `${name}.png`);
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled' });
  }

  private readonly returned = new Set<ToHost>();

  /** Receives a message of the panel. */
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
