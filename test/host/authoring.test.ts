import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { geminiHome } from '../../extension/gemini-config/settings-files.ts';
import { Authoring } from '../../extension/vscode/authoring/authoring.ts';
import { fileFolders } from '../../extension/vscode/base/workspace.ts';
import { Commands } from '../../extension/vscode/names.ts';
import { eventually } from '../support/poll.ts';
import { detail } from './detail.ts';
import { WindowAnswers } from './window-answers.ts';

const MINE = '# Mine.\n[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n';

describe('A new file for the agent', () => {
  const home = join(geminiHome(process.env, homedir()), '.gemini');
  const folder = join(fileFolders()[0]?.uri.fsPath ?? '', '.gemini');
  let answers: WindowAnswers;
  let authoring: Authoring;

  beforeEach(() => {
    answers = new WindowAnswers();
    authoring = new Authoring({
      runtime: { load: () => Promise.reject(new Error('No rule is tried here.')) },
      pending: { items: [] },
      settings: { policyPaths: () => [] },
      pages: () => Promise.reject(new Error('No page is shown here.')),
    });
  });
  afterEach(async () => {
    answers.restore();
    authoring.dispose();
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const place of [home, folder]) await rm(place, { recursive: true, force: true });
  });

  const labelled = (label: string) => (items: readonly vscode.QuickPickItem[]) =>
    items.find((item) => item.label === label);
  const editor = (): vscode.TextEditor => vscode.window.activeTextEditor ?? assert.fail('no editor');

  it('is opened for the folder or for everywhere, and made when it is saved', async () => {
    answers.picking(labelled(basename(dirname(folder))));
    answers.typing('reviewer');
    await authoring.run(Commands.newAgent, undefined);
    const path = join(folder, 'agents', 'reviewer.md');
    assert.deepEqual(
      answers.asked[0]?.items.map(({ label, detail: place }) => [label, place]),
      [
        ['Yours', join(home, 'agents')],
        [basename(dirname(folder)), join(folder, 'agents')],
      ],
    );
    assert.deepEqual(answers.said, [`Opens ${path}.`]);
    const { document } = editor();
    assert.equal(document.uri.fsPath, path);
    assert.match(document.getText(), /^---\nname: reviewer\ndescription: Reviews/);
    assert.equal(existsSync(path), false);
    await document.save();
    assert.match(await readFile(path, 'utf8'), /name: reviewer/);
  });

  it('is opened as it is if it exists', async () => {
    const path = join(home, 'commands', 'git', 'commit.toml');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'prompt = "Mine"\n');
    answers.picking(labelled('Yours'));
    answers.typing('/git:commit');
    await authoring.run(Commands.newCommand, undefined);
    assert.deepEqual(answers.said, [`Opens ${path}, which exists.`]);
    assert.equal(editor().document.uri.fsPath, path);
    assert.equal(editor().document.getText(), 'prompt = "Mine"\n');
  });

  detail('is a folder of its own for a skill', async () => {
    answers.picking(labelled('Yours'));
    answers.typing('release-notes');
    await authoring.run(Commands.newSkill, undefined);
    assert.equal(editor().document.uri.fsPath, join(home, 'skills', 'release-notes', 'SKILL.md'));
  });

  it('has a rule at its end if it has rules already, which can be undone', async () => {
    const path = join(home, 'policies', 'mine.toml');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, MINE);
    await writeFile(join(home, 'policies', 'auto-saved.toml'), '');
    answers.picking(labelled('mine.toml'));
    await authoring.run(Commands.newPolicyRule, undefined);
    assert.deepEqual(
      answers.asked[0]?.items.filter(({ detail: place }) => place !== undefined).map(({ label }) => label),
      ['mine.toml', '$(new-file) New File…', '$(new-file) New File…'],
    );
    const { document } = editor();
    assert.equal(document.uri.fsPath, path);
    assert.ok(document.getText().startsWith(`${MINE}\n[[rule]]\ntoolName = "run_shell_command"\n`), document.getText());
    assert.equal(await readFile(path, 'utf8'), MINE);
    await vscode.commands.executeCommand('undo');
    await eventually('the text as it was', () => document.getText() === MINE);
  });

  it('says what it is for if it is the first one with rules', async () => {
    answers.picking((items) => items.at(-1));
    answers.typing('team');
    await authoring.run(Commands.newPolicyRule, undefined);
    assert.equal(editor().document.uri.fsPath, join(folder, 'policies', 'team.toml'));
    assert.match(editor().document.getText(), /^# This folder's rules.*\n# .*\n\n\[\[rule\]\]\n/);
  });

  detail('is not opened without a name, or under one that is no name', async () => {
    for (const name of ['', '../evil', 'A b']) {
      answers.picking(labelled('Yours'));
      answers.typing(name);
      await authoring.run(Commands.newAgent, undefined);
      assert.equal(vscode.window.activeTextEditor, undefined, name);
    }
    assert.match(answers.said.at(-1) ?? '', /^A name consists of/);
  });
});
