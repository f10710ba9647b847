import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type PipedProcess, startPipedProcess } from '../../extension/processes/piped-process.ts';
import { ChannelLogger } from '../../extension/vscode/base/logger.ts';
import { ConfigFiles } from '../../extension/vscode/language/config-files.ts';
import { LanguageService, type LanguageServiceParts } from '../../extension/vscode/language/language-service.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { type TestHost, type TestHostOptions, testHost } from '../support/test-host.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { detail } from './detail.ts';
import { WindowAnswers } from './window-answers.ts';

const RULE = '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 100\n';
const BROKEN = RULE.replace('allow', 'maybe');

const problemsIn = (uri: vscode.Uri): readonly vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri);
const aboutDecision = (uri: vscode.Uri) =>
  eventually('the problem', () => problemsIn(uri).find(({ message }) => message.includes('decision')));
const noProblems = (uri: vscode.Uri) => eventually('no problems', () => problemsIn(uri).length === 0);

const isOfSchema = ({ message }: vscode.Diagnostic): boolean => message.startsWith('Incorrect type');

/** As users do. A document that is opened through the API stays open for minutes after its editor was closed. */
async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('vscode.open', uri);
  return eventually('the editor', () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.toString() === uri.toString() && document;
  });
}

async function type(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const start = document.positionAt(document.getText().indexOf(from));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(start, start.translate(0, from.length)), to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** As the light bulb does. */
async function fix({ uri }: vscode.TextDocument, { range }: vscode.Diagnostic, title: string): Promise<void> {
  const offered = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
  );
  const action = offered.find((one) => one.title === title);
  assert.ok(action?.edit, offered.map((one) => one.title).join(', '));
  assert.ok(await vscode.workspace.applyEdit(action.edit));
}

async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

describe('Files that configure the agent', () => {
  let folder: TempWorkspace;
  beforeEach(async () => {
    folder = await createTempWorkspace({
      '.gemini/policies/mine.toml': BROKEN,
      'rules/more.toml': BROKEN,
      'other.toml': BROKEN,
    });
  });
  afterEach(async () => {
    await closeEditors();
    await folder.dispose();
  });
  const at = (path: string) => vscode.Uri.file(join(folder.path, path));

  describe('in Gantry as it is installed', () => {
    it('have their problems in the editor while they are open, with what solves them', async () => {
      const uri = at('.gemini/policies/mine.toml');
      const document = await show(uri);
      const { source, severity } = await aboutDecision(uri);
      assert.deepEqual([source, severity], ['Gantry', vscode.DiagnosticSeverity.Error]);
      await type(document, 'maybe', 'deny');
      await noProblems(uri);
      await type(document, 'deny', 'dany');
      await fix(document, await aboutDecision(uri), 'Change to "deny"');
      await noProblems(uri);
      await type(document, 'deny', 'perhaps');
      await aboutDecision(uri);
      await closeEditors();
      await noProblems(uri);
    });

    it('are a language with comments and brackets, whatever else is installed', async () => {
      const document = await show(at('.gemini/policies/mine.toml'));
      assert.equal(document.languageId, 'toml');
      await vscode.commands.executeCommand('editor.action.commentLine');
      assert.equal(document.lineAt(0).text, '# [[rule]]');
    });

    it('are checked and completed by a JSON schema where there is one, and not twice', async () => {
      const uri = at('.gemini/settings.json');
      const text = '{\n  "tools": { "exclude": 5 },\n  "hooks": { "BeforeTol": [], "": [] } // mine\n}\n';
      await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
      const document = await show(uri);
      const found = await eventually('both problems', () => {
        const problems = problemsIn(uri);
        return problems.some(({ source }) => source === 'Gantry') && problems.some(isOfSchema) && problems;
      });
      const told = found.map(({ message, range }) => `${document.getText(range)}: ${message}`);
      assert.deepEqual(
        told.filter((line) => line.startsWith('5')).map((line) => line.replace(/expected.*|Expected.*/, '…')),
        ['5: Incorrect type. …'],
      );
      const place = document.positionAt(text.indexOf('""') + 1);
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        place,
      );
      assert.equal(items.filter(({ label }) => label === 'AfterTool').length, 1);
      const key = document.positionAt(text.indexOf('exclude') + 1);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, key);
      const shown = hovers.flatMap(({ contents }) =>
        contents.map((one) => (typeof one === 'string' ? one : one.value)),
      );
      assert.match(shown.join('\n'), /Gantry applies this setting: these are off/);
    });

    it('are checked before they are saved for the first time', async () => {
      const uri = at('.gemini/policies/new.toml').with({ scheme: 'untitled' });
      await show(uri);
      await vscode.window.activeTextEditor?.insertSnippet(new vscode.SnippetString(BROKEN));
      await aboutDecision(uri);
      await vscode.commands.executeCommand('workbench.action.files.save');
      await aboutDecision(at('.gemini/policies/new.toml'));
      await noProblems(uri);
    });
  });

  describe('with the language server', () => {
    const extension = vscode.extensions.getExtension('gantry.gantry')?.extensionPath ?? '';
    let service: LanguageService;
    let running: vscode.Disposable;
    let log: ChannelLogger;
    let changed: vscode.EventEmitter<void>;
    let time: VirtualTime;
    let host: TestHost;
    let answers: WindowAnswers;
    let processes: PipedProcess[];

    /** Only this one knows the rules of this folder: the installed one does not have them in its settings. */
    const partsFor = (options: TestHostOptions = {}): LanguageServiceParts => {
      const policyPaths = [join(folder.path, 'rules')];
      host = Object.assign(testHost({ policyPaths, ...options }), { assets: join(extension, 'dist', 'assets') });
      return {
        host,
        log,
        onDidChange: changed.event,
        now: time.clock.now,
        alarm: time.alarm,
        // Those of other tests stay open for minutes.
        documents: () => vscode.workspace.textDocuments.filter(({ fileName }) => fileName.startsWith(folder.path)),
        startProcess: (...given) => {
          const started = startPipedProcess(...given);
          processes.push(started);
          return started;
        },
      };
    };
    const open = async (options: TestHostOptions = {}): Promise<vscode.Uri> => {
      service = new LanguageService(partsFor(options));
      running = service;
      await show(at('rules/more.toml'));
      return at('rules/more.toml');
    };

    beforeEach(() => {
      [log, changed, time] = [new ChannelLogger(), new vscode.EventEmitter(), new VirtualTime()];
      answers = new WindowAnswers();
      processes = [];
    });
    afterEach(async () => {
      answers.restore();
      running.dispose();
      await Promise.all(processes.map(({ ended }) => ended));
      log.dispose();
    });

    it('are what the client is loaded for, and other files are not', async () => {
      let loads = 0;
      running = new ConfigFiles({
        ...partsFor(),
        // Only the client asks for the time.
        get now() {
          loads++;
          return time.clock.now;
        },
      });
      await show(at('other.toml'));
      assert.deepEqual([loads, processes.length], [0, 0]);
      await show(at('rules/more.toml'));
      await aboutDecision(at('rules/more.toml'));
      assert.deepEqual([loads, processes.length], [1, 1]);
    });

    const kill = async (): Promise<void> => {
      const last = processes.at(-1);
      assert.ok(last?.pid !== undefined);
      process.kill(last.pid, 'SIGKILL');
      await last.ended;
    };

    it('are checked again after it was killed, with what was typed', async () => {
      const uri = await open();
      const document = await show(uri);
      assert.equal(document.languageId, 'toml', 'also outside of .gemini');
      await aboutDecision(uri);
      await type(document, 'write_file', 'read_file');
      await kill();
      await eventually('another process', () => processes.length === 2);
      await eventually('the problem of the typed text', () => problemsIn(uri)[0]?.message.includes('read_file'));
    });

    it('are no longer checked after it was killed too often, which is reported once, with the log', async () => {
      answers.pressing('Show Log');
      const uri = await open();
      for (let crash = 1; crash <= 6; crash++) {
        await eventually(`start ${crash}`, () => processes.length === crash);
        // At any point: while it starts, too.
        if (crash % 2 === 0) await aboutDecision(uri);
        await kill();
      }
      await eventually('the report', () => answers.said.length > 0);
      await show(at('.gemini/policies/mine.toml'));
      assert.match(answers.said.join('\n'), /^The language server of Gantry crashed too often/);
      assert.deepEqual([answers.said.length, processes.length], [1, 6]);
      await noProblems(uri);
    });

    it('need no process five minutes after the last of them was closed', async () => {
      const uri = await open();
      await aboutDecision(uri);
      await closeEditors();
      await eventually('the document to be closed', () => time.pending > 0);
      time.pass(6);
      await processes[0]?.ended;
      assert.equal(processes.length, 1);
      await show(uri);
      await aboutDecision(uri);
      assert.equal(processes.length, 2);
    });

    it('are only looked at in Restricted Mode, until the folder is trusted', async () => {
      const uri = await open({ trusted: false, roots: [folder.path] });
      await aboutDecision(uri);
      assert.equal(processes.length, 1, 'one process, in which nothing is started');
      host.trusted = true;
      changed.fire();
      await processes[0]?.ended;
      await eventually('a server that was told so', () => processes.length === 2);
      await aboutDecision(uri);
    });

    detail('need no other process when nothing that it was told has changed', async () => {
      const uri = await open();
      await aboutDecision(uri);
      changed.fire();
      await service.follow();
      assert.equal(processes.length, 1);
    });

    detail('are those of the folders that were added to settings', async () => {
      const policyPaths: string[] = [];
      const uri = await open({ policyPaths });
      policyPaths.push(join(folder.path, 'rules'));
      changed.fire();
      await aboutDecision(uri);
    });
  });
});
