import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openPromptLink } from '../../extension/vscode/actions/prompt-link.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('A link that opens Gantry', () => {
  let window: PanelWindow;
  let answers: WindowAnswers;
  let focused: number;
  const chat = {
    focus: async (): Promise<void> => {
      focused += 1;
    },
  };
  const texts: string[] = [];
  let listening: vscode.Disposable;

  beforeEach(() => {
    window = new PanelWindow(testHost(), new Map());
    focused = 0;
    answers = new WindowAnswers();
    answers.pressing('Attach');
    texts.length = 0;
    listening = window.session.onDidReturnText((text) => texts.push(text));
  });
  afterEach(async () => {
    listening.dispose();
    answers.restore();
    await window.close();
  });

  const open = (rest: string): Promise<void> =>
    openPromptLink(vscode.Uri.parse(`vscode://gantry.gantry${rest}`, true), {
      session: window.session,
      chat,
      attachments: window.context.attachments,
    });
  const attached = (): readonly string[] => window.context.attachments.items.map(({ path = '' }) => path);

  it('puts its words into the input, says where they came from, and sends nothing', async () => {
    await open('/new?prompt=Delete%20everything%20%26%20push');
    assert.deepEqual(texts, ['Delete everything & push']);
    assert.equal(focused, 1);
    assert.deepEqual(window.session.entries, []);
    assert.match(answers.said.join(), /came from a link\. Read it before you send it\./);
  });

  it('attaches files of the workspace after they were shown', async () => {
    await open('/new?prompt=Explain&file=README.md&file=src/tides.ts&file=README.md');
    assert.match(
      answers.said[0] ?? '',
      /wants to attach files.*\nREADME\.md\nsrc\/tides\.ts\n\nTheir contents are sent/,
    );
    assert.deepEqual(attached(), ['README.md', 'src/tides.ts']);
  });

  it('attaches nothing when the user does not want it, and keeps the words', async () => {
    answers.pressing(undefined);
    await open('/new?prompt=Explain&file=README.md');
    assert.deepEqual(attached(), []);
    assert.deepEqual(texts, ['Explain']);
  });

  it('attaches no file from elsewhere, no folder, no secret, and none that does not exist', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    await writeFile(join(folder, '.env'), 'PASSWORD=hunter2');
    await symlink(join(folder, '.env'), join(folder, 'harmless.txt'));
    // A folder of its own: VS Code searches what a link leads to, and all temporary files would take it long.
    const elsewhere = await tempFolder('elsewhere');
    await symlink(elsewhere.path, join(folder, 'elsewhere'));
    const names = [
      '/etc/passwd',
      '../secrets',
      'elsewhere/x',
      '.env',
      'harmless.txt',
      'src',
      'no-such.ts',
      'file:///etc/passwd',
    ];
    for (const name of names) await open(`/new?prompt=x&file=${encodeURIComponent(name)}`);
    assert.deepEqual(attached(), []);
    assert.equal(answers.said.filter((text) => text.includes('wants to attach')).length, 0);
    assert.equal(answers.said.filter((text) => text.includes('were ignored')).length, names.length);
    await elsewhere.dispose();
  });

  it('does nothing at all when Gantry does not know it', async () => {
    const unknown = ['/run?prompt=Hi', '/new', '/new?send=1', '/new?approvalMode=yolo', '/settings?x=y', ''];
    for (const link of unknown) await open(link);
    assert.deepEqual(texts, []);
    assert.equal(focused, 0);
    assert.equal(answers.said.filter((text) => text.includes('unknown link')).length, unknown.length);
  });
});
