import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { participantHandler, sessionOf } from '../../extension/vscode/actions/chat-participant.ts';
import { ChatSessions } from '../../extension/vscode/actions/chat-sessions.ts';
import { askTool, sessionsTool } from '../../extension/vscode/actions/model-tools.ts';
import { Commands, ModelTools } from '../../extension/vscode/names.ts';
import { gate } from '../support/gemini/gate.ts';
import { call, hold } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { type TestHost, testHost } from '../support/test-host.ts';
import { loadRuntime, PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

/** What VS Code's chat would show, line by line. */
class RecordedStream {
  readonly lines: string[] = [];
  readonly buttons: vscode.Command[] = [];
  readonly stream = {
    markdown: (text: string) => this.lines.push(`text ${text}`),
    progress: (text: string) => this.lines.push(`progress ${text}`),
    reference: (uri: vscode.Uri) => this.lines.push(`file ${vscode.workspace.asRelativePath(uri)}`),
    button: (command: vscode.Command) => this.buttons.push(command),
  } as unknown as vscode.ChatResponseStream;
}

describe("In VS Code's own chat", () => {
  let gemini: GeminiEndpoint;
  let kept: TempFolder;
  let host: TestHost;
  let window: PanelWindow;
  let sessions: ChatSessions;
  let shown: RecordedStream;
  let cancel: vscode.CancellationTokenSource;
  let answers: WindowAnswers;
  const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

  before(async function () {
    this.timeout(60_000);
    gemini = await startGeminiEndpoint();
    await loadRuntime();
  });
  after(() => gemini.dispose());
  beforeEach(async () => {
    kept = await tempFolder('sessions');
    host = testHost({ baseUrl: gemini.url, roots: [folder()], sessions: kept.path });
    window = new PanelWindow(host, new Map());
    sessions = new ChatSessions(window.runtime, window.session);
    shown = new RecordedStream();
    cancel = new vscode.CancellationTokenSource();
    answers = new WindowAnswers();
    answers.pressing(undefined);
  });
  afterEach(async () => {
    answers.restore();
    cancel.dispose();
    await window.close();
    await kept.dispose();
    gemini.startOver();
  });

  async function ask(
    prompt: string,
    history: readonly unknown[] = [],
    references: readonly unknown[] = [],
  ): Promise<vscode.ChatResult> {
    const request = { prompt, references: references.map((value) => ({ value })) } as unknown as vscode.ChatRequest;
    const context = { history } as unknown as vscode.ChatContext;
    return (await participantHandler(sessions)(request, context, shown.stream, cancel.token)) ?? {};
  }

  const turnOf = (result: vscode.ChatResult, participant = 'gantry.chat'): unknown => ({ participant, result });
  const sent = (): string => JSON.stringify(gemini.requests.at(-1)?.body.contents);

  it('@gantry answers, says what it does, and names the files it looks at', async () => {
    gemini.reply('Let me see.', call('read_file', { file_path: 'README.md' }));
    gemini.reply('It is about tides.');
    await ask('What is this?');
    assert.deepEqual(shown.lines, [
      'text Let me see.',
      'progress ReadFile: README.md',
      'file README.md',
      'text It is about tides.',
    ]);
  });

  it('@gantry knows what was said before in the thread, and forgets what belongs to another', async () => {
    gemini.always('Noted.');
    const first = await ask('My name is Ada.');
    await ask('Who am I?', [turnOf(first)]);
    assert.match(sent(), /My name is Ada/);
    await ask('Who am I?', [turnOf(first, 'somebody.else')]);
    assert.doesNotMatch(sent(), /My name is Ada/);
    assert.equal((await (await window.runtime.load()).library?.list())?.length, 2);
  });

  it('@gantry begins anew when the thread names a session that is gone', async () => {
    gemini.always('Hello.');
    const metadata = { gantrySession: 'no-such-session' };
    const result = await ask('Hi', [turnOf({ metadata })]);
    assert.notEqual(result.metadata?.['gantrySession'], 'no-such-session');
    const wrong = [{ metadata: { gantrySession: '../../etc' } }, { metadata: { gantrySession: 7 } }, {}];
    for (const each of wrong) assert.equal(sessionOf([turnOf(each)] as never), undefined);
  });

  it('@gantry is told which files the user refers to, and reads them by its own rules', async () => {
    gemini.reply('I see.');
    const uri = vscode.Uri.file(join(folder(), 'README.md'));
    await ask('Look', [], [uri, new vscode.Location(uri, new vscode.Range(0, 0, 2, 0)), 'some words']);
    const parts = gemini.requests.at(-1)?.contents.at(-1)?.parts ?? [];
    const data = (text: string): string => `<untrusted_context>\n${text}\n</untrusted_context>`;
    const notRead = data('(Its text is not attached. Read it as far as you need it.)');
    assert.equal(parts[0]?.text, 'Look');
    assert.deepEqual(
      parts.flatMap(({ text }) => (text !== undefined && /^(The user attached|Attached)/.test(text) ? [text] : [])),
      [
        `The user attached the file "README.md":\n${notRead}`,
        `The user attached lines 1-2 of "README.md":\n${notRead}`,
        `Attached:\n${data('some words')}`,
      ],
    );
  });

  it('@gantry waits for the same yes as the panel, which can be given there', async () => {
    gemini.reply(call('run_shell_command', { command: 'touch from-chat.txt' }));
    gemini.reply('Made.');
    const answered = ask('Make the file');
    await eventually('the question', () => shown.buttons.length === 1);
    assert.match(shown.lines.join('\n'), /progress Waiting for your answer in Gantry: /);
    assert.equal(existsSync(join(folder(), 'from-chat.txt')), false);
    const [button] = shown.buttons;
    assert.equal(button?.command, Commands.showSession);
    await sessions.show(String(button?.arguments?.[0]));
    const waiting = window.session.entries.flatMap((entry) => (entry.kind === 'tool' && entry.approval) || []);
    await window.session.answer({ requestId: waiting[0]?.requestId ?? '', decision: 'once' });
    const result = await answered;
    assert.equal(existsSync(join(folder(), 'from-chat.txt')), true);
    assert.equal(window.session.id, result.metadata?.['gantrySession']);
  });

  it('@gantry continues when the panel turns to another session', async () => {
    const held = gate();
    gemini.reply(hold(held), 'Still here.');
    const answered = ask('Take your time');
    await held.reached;
    const [id = ''] = (await (await window.runtime.load()).library?.list())?.map((session) => session.id) ?? [];
    await sessions.show(id);
    assert.equal(window.session.isRunning, true);
    await window.session.startNew();
    held.open();
    await answered;
    assert.deepEqual(shown.lines, ['text Still here.']);
  });

  it('@gantry stops when the user does', async () => {
    const held = gate();
    gemini.reply(hold(held), 'Too late.');
    const answered = ask('Take your time');
    await held.reached;
    cancel.cancel();
    await answered;
    assert.deepEqual(shown.lines, ['text \n\n_Stopped._']);
  });

  it('@gantry changes nothing in a folder that is not trusted', async () => {
    host.trusted = false;
    gemini.reply(call('write_file', { file_path: 'untrusted.txt', content: 'x' }));
    gemini.reply('I cannot.');
    await ask('Write it');
    assert.equal(shown.buttons.length, 0);
    assert.equal(existsSync(join(folder(), 'untrusted.txt')), false);
  });

  it('@gantry says what went wrong', async () => {
    const offline = testHost({ baseUrl: 'http://127.0.0.1:9', roots: [folder()] });
    const other = new PanelWindow(offline, new Map());
    sessions = new ChatSessions(other.runtime, other.session);
    const result = await ask('Hi');
    assert.match(result.errorDetails?.message ?? '', /cannot be reached/);
    await other.close();
  });

  const sources = () => ({ sessions, listed: () => window.sessions.items(), settings: host.settings });
  const textIn = ({ content }: vscode.LanguageModelToolResult): string =>
    content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  const invoke = async (tool: vscode.LanguageModelTool<unknown>, input: object): Promise<string> => {
    const result = await tool.invoke({ input, toolInvocationToken: undefined }, cancel.token);
    return textIn(result ?? new vscode.LanguageModelToolResult([]));
  };

  it('other models can hand a task over, which is shown in full before', async () => {
    gemini.reply('Done with it.');
    const tool = askTool(sources());
    const prepared = await tool.prepareInvocation?.({ input: { prompt: 'Fix [it](command:x)' } }, cancel.token);
    const { message } = prepared?.confirmationMessages ?? {};
    assert.match(typeof message === 'object' ? message.value : '', /```text\nFix \[it\]\(command:x\)\n```/);
    assert.match(await invoke(tool, { prompt: 'Fix it' }), /^Done with it\.\n\n\(Gantry session [\w-]+\)$/);
    await assert.rejects(() => invoke(tool, { prompt: 7 }), /"prompt" must be/);
  });

  it('a task of another model runs in no mode but the default, and names no file for the user', async () => {
    host = testHost({ baseUrl: gemini.url, roots: [folder()], sessions: kept.path, approvalMode: 'yolo' });
    const bold = new PanelWindow(host, new Map());
    sessions = new ChatSessions(bold.runtime, bold.session);
    await vscode.workspace.fs.writeFile(vscode.Uri.file(join(folder(), '.env')), Buffer.from('PASSWORD=hunter2'));
    gemini.reply(
      call('read_file', { file_path: '.env' }),
      call('run_shell_command', { command: 'touch from-tool.txt' }),
    );
    const stopped = invoke(askTool(sources()), { prompt: 'Read .env and run touch from-tool.txt' });
    const { questions } = await bold.runtime.load();
    await eventually('the question', () => questions.items.length === 1);
    assert.equal(existsSync(join(folder(), 'from-tool.txt')), false);
    cancel.cancel();
    assert.match(await stopped, /Stopped\./);
    const [session] = (await bold.sessions.items()).map(({ id }) => id);
    const { library } = await bold.runtime.load();
    const said = await library?.export(session ?? '', 'markdown');
    assert.match(said ?? '', /\.env/);
    assert.doesNotMatch(said ?? '', /hunter2/);
    await bold.close();
  });

  it('other models can look up what was said in earlier sessions', async () => {
    gemini.always('The moon does it.');
    await ask('Why are there tides?');
    const tool = sessionsTool(sources());
    const listed = await invoke(tool, {});
    const id = /\(id ([\w-]+)\)/.exec(listed)?.[1];
    assert.match(await invoke(tool, { id }), /Why are there tides\?[\s\S]*The moon does it\./);
    await assert.rejects(() => invoke(tool, { id: 'no-such-id' }), /There is no such session here/);
  });

  it('the tools are there for VS Code to call', async () => {
    await vscode.extensions.getExtension('gantry.gantry')?.activate();
    const names = Object.values(ModelTools);
    await eventually('the tools', () => names.every((name) => vscode.lm.tools.some((tool) => tool.name === name)));
    const called = await vscode.lm.invokeTool(ModelTools.ask, {
      input: { prompt: 'What can Gantry do today?' },
      toolInvocationToken: undefined,
    });
    assert.match(textIn(called), /not an AI/);
  });
});
