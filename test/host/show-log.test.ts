import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChannelLogger } from '../../extension/vscode/base/logger.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';

describe('Show Log', () => {
  let endpoint: GeminiEndpoint;
  let folder: TempWorkspace;
  let window: PanelWindow;
  let log: ChannelLogger;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    folder = await createTempWorkspace();
    log = new ChannelLogger();
    const host = testHost({ roots: [folder.path], environment: { GOOGLE_GEMINI_BASE_URL: endpoint.url } });
    window = new PanelWindow({ ...host, log }, new Map());
    window.end.say({ type: 'ready' });
  });
  afterEach(async () => {
    await window.close();
    log.dispose();
    await endpoint.dispose();
    await folder.dispose();
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('has what was decided, what the user answered in the panel, and how it ended', async () => {
    endpoint.reply(call('write_file', { file_path: 'a.txt', content: 'x' }));
    endpoint.reply('Done.');
    window.end.say({ type: 'send', ref: 1, text: 'Write it' });
    const requestId = await eventually(
      'the question',
      () =>
        window.session.entries.flatMap((entry) => (entry.kind === 'tool' ? (entry.approval?.requestId ?? []) : []))[0],
    );
    window.end.say({ type: 'answer', requestId, decision: 'once' });
    await window.end.waitUntil(() => window.end.state?.running === false);
    log.show();
    const shown = (): string =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === 'output')
        .map((document) => document.getText())
        .join('\n');
    const text = await eventually('the end in the log', () => /"what":"finished"/.test(shown()) && shown());
    assert.match(text, /audit .*"tool":"write_file".*"what":"decided","decision":"ask_user"/);
    assert.match(text, /audit .*"what":"answered","action":"accept","by":"panel","decision":"once"/);
  });
});
