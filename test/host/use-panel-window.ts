import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Notice, SuggestionGroup } from '../../extension/protocol/panel/input-to-panel.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { type TestHostOptions, testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

export interface PanelSuite {
  /** The folder the user opened. */
  readonly folder: TempWorkspace;
  /** Where the user's files of Gemini CLI are. */
  readonly home: TempWorkspace;
  readonly gemini: GeminiEndpoint;
  readonly answers: WindowAnswers;
  /** What VS Code keeps for the next window. */
  readonly kept: Map<string, unknown>;
  /** The one that was opened last. */
  readonly window: PanelWindow;
  /** Opens a window over the folder, after the one before has been closed. */
  open(options?: TestHostOptions): Promise<void>;
  /** Types a command and waits until what it began is over; returns why it was refused. */
  slash(text: string): Promise<string | undefined>;
  /** What a command shows. */
  noticeOf(text: string): Promise<Notice>;
  suggested(about: 'mention' | 'command', query: string): Promise<readonly SuggestionGroup[]>;
}

interface Parts extends Pick<PanelSuite, 'folder' | 'home' | 'gemini' | 'answers' | 'kept'> {
  window?: PanelWindow;
}

/** Call it inside `describe`: new folders, a new endpoint and a user who presses nothing for each test. */
export function usePanelWindow(): PanelSuite {
  let parts: Parts | undefined;
  beforeEach(async () => {
    const [folder, home] = [await createTempWorkspace(), await createTempWorkspace()];
    parts = { folder, home, gemini: await startGeminiEndpoint(), answers: new WindowAnswers(), kept: new Map() };
    parts.answers.pressing(undefined);
  });
  afterEach(async () => {
    const { answers, window, gemini, folder, home } = there(parts);
    answers.restore();
    await window?.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const part of [gemini, folder, home]) await part.dispose();
  });
  return suiteOf(() => there(parts));
}

function suiteOf(parts: () => Parts): PanelSuite {
  let asked = 0;
  const suite: PanelSuite = {
    get folder() {
      return parts().folder;
    },
    get home() {
      return parts().home;
    },
    get gemini() {
      return parts().gemini;
    },
    get answers() {
      return parts().answers;
    },
    get kept() {
      return parts().kept;
    },
    get window() {
      return there(parts().window);
    },
    open: (options) => openWindow(parts(), options),
    slash: async (text) => {
      const ref = ++asked;
      const { end } = suite.window;
      end.say({ type: 'slash', ref, text });
      const answer = await end.waitUntilFound((message) => message.type === 'sent' && message.ref === ref && message);
      await end.waitUntil(() => end.state?.running === false);
      return answer.refused?.title;
    },
    noticeOf: async (text) => {
      const { posted } = suite.window.end;
      const before = posted.length;
      assert.equal(await suite.slash(text), undefined);
      const found = posted.slice(before).find((message) => message.type === 'notice');
      assert.ok(found, `${text} says nothing`);
      return found.notice;
    },
    suggested: async (about, query) => {
      const id = ++asked;
      const { end } = suite.window;
      end.say({ type: 'suggest', id, about, query });
      const { groups } = await end.waitUntilFound(
        (message) => message.type === 'suggestions' && message.id === id && !message.pending && message,
      );
      return groups;
    },
  };
  return suite;
}

async function openWindow(parts: Parts, options: TestHostOptions = {}): Promise<void> {
  const { folder, home, gemini, kept } = parts;
  await parts.window?.close();
  const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
  const sessions = join(home.path, 'sessions');
  const host = testHost({ roots: [folder.path], sessions, environment, baseUrl: gemini.url, ...options });
  parts.window = new PanelWindow(host, kept);
  parts.window.end.say({ type: 'ready' });
  await parts.window.end.waitFor('transcript');
}

function there<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('It is there in tests and hooks only.');
  return part;
}
