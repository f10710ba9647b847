import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EditorActions } from '../../extension/vscode/actions/editor-actions.ts';
import { CommitMessages } from '../../extension/vscode/git/commit-message.ts';
import type { GitRepository } from '../../extension/vscode/git/git-api.ts';
import { gate } from '../support/gemini/gate.ts';
import { hold } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { createTempRepository, type TempRepository } from '../support/git-repository.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { openRepository, switchGit, typeMessage } from './git.ts';
import { loadRuntime, PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

/** First: Git stays on for a window once it was switched on. */
describe('Without Git', () => {
  it('the actions that need it say that it is switched off', async () => {
    const answers = new WindowAnswers();
    answers.pressing(undefined);
    await new CommitMessages({ load: () => Promise.reject(new Error('not needed')) }).generate();
    answers.restore();
    assert.deepEqual(answers.said, ['Git is turned off: the setting git.enabled is false.']);
  });
});

describe('With a Git repository', () => {
  let gemini: GeminiEndpoint;
  let folder: TempRepository;
  let repository: GitRepository;
  let window: PanelWindow;
  let commits: CommitMessages;
  let answers: WindowAnswers;

  before(async function () {
    this.timeout(90_000);
    gemini = await startGeminiEndpoint();
    await loadRuntime();
    await switchGit(true);
    folder = await createTempRepository(
      { 'tide.ts': 'high\nlow\n', 'other.ts': 'same\n', 'logo.png': Buffer.from([0, 1, 2]) },
      Array.from({ length: 12 }, (_, index) => `tides: say ${index}`),
    );
    repository = await openRepository(folder.path);
  });
  after(async () => {
    await switchGit(false);
    await folder.dispose();
    await gemini.dispose();
  });
  beforeEach(() => {
    window = new PanelWindow(testHost({ baseUrl: gemini.url }), new Map());
    commits = new CommitMessages(window.runtime);
    answers = new WindowAnswers();
    answers.pressing(undefined);
  });
  afterEach(async () => {
    answers.restore();
    commits.dispose();
    await window.close();
    await typeMessage(repository, '');
    folder.git('reset', '--hard', '--quiet');
    folder.git('clean', '-fdq');
    await repository.status();
    gemini.startOver();
  });

  const menu = (): unknown => ({ rootUri: repository.rootUri });
  const sent = (): string => JSON.stringify(gemini.requests.at(-1)?.body.contents);

  it('a commit message is written from what is staged, in the style of the last subjects', async () => {
    gemini.reply('tides: say it high\n');
    await folder.write({ 'tide.ts': 'HIGH\nlow\n', 'other.ts': 'changed\n' });
    folder.git('add', 'tide.ts');
    await commits.generate(menu());
    assert.equal(repository.inputBox.value, 'tides: say it high');
    assert.match(sent(), /\+HIGH/);
    assert.doesNotMatch(sent(), /other\.ts/);
    assert.match(sent(), /- tides: say 11\\n- tides: say 10/);
    assert.doesNotMatch(sent(), /tides: say 1\\n/);
    assert.deepEqual(gemini.requests[0]?.toolNames, []);
    assert.deepEqual(window.session.entries, []);
  });

  it('a commit message is written from everything when nothing is staged, without secrets and pictures', async () => {
    gemini.reply('Change much');
    await folder.write({
      'tide.ts': 'HIGH\nlow\n',
      'new.ts': 'brand new\n',
      '.env': 'PASSWORD=hunter2\n',
      'logo.png': Buffer.from([0, 9, 9]),
    });
    await commits.generate(menu());
    assert.equal(repository.inputBox.value, 'Change much');
    assert.match(sent(), /\+HIGH/);
    assert.match(sent(), /added: new\.ts\\n@@ -0,0 \+1,1 @@\\n\+brand new/);
    assert.match(sent(), /added: \.env\\n\(its name says/);
    assert.match(sent(), /changed: logo\.png\\n\(binary/);
    assert.doesNotMatch(sent(), /hunter2/);
  });

  it('a commit message is written without what links lead to', async () => {
    gemini.reply('Link');
    const outside = await createTempWorkspace({ 'private.txt': 'hunter2\n' });
    await symlink(join(outside.path, 'private.txt'), join(folder.path, 'notes.txt'));
    await commits.generate(menu());
    assert.match(sent(), /added: notes\.txt\\n\(a symbolic link\)/);
    assert.doesNotMatch(sent(), /hunter2/);
    await outside.dispose();
  });

  it('a commit message continues what was begun, which can be had back', async () => {
    gemini.reply('tides: high again, because of the moon');
    await folder.write({ 'tide.ts': 'HIGH\nlow\n' });
    await typeMessage(repository, 'because of the moon');
    answers.pressing('Restore Draft');
    await commits.generate(menu());
    assert.match(sent(), /The user has begun with:\\nbecause of the moon/);
    await eventually('the draft', () => repository.inputBox.value === 'because of the moon');
  });

  it('a commit message does not replace what was typed meanwhile', async () => {
    const held = gate();
    gemini.reply(hold(held), 'tides: high');
    await folder.write({ 'tide.ts': 'HIGH\nlow\n' });
    const written = commits.generate(menu());
    await held.reached;
    await typeMessage(repository, 'my own words');
    held.open();
    await written;
    assert.equal(repository.inputBox.value, 'my own words');
    assert.match(answers.said.join(), /so it was kept/);
  });

  it('a commit message can be stopped, and the input is as it was', async () => {
    const held = gate();
    gemini.reply(hold(held), 'Too late');
    await folder.write({ 'tide.ts': 'HIGH\nlow\n' });
    await typeMessage(repository, 'draft');
    const written = commits.generate(menu());
    await held.reached;
    commits.stop();
    await written;
    assert.equal(repository.inputBox.value, 'draft');
    assert.deepEqual(answers.said, []);
  });

  it('a commit message needs a model, and says so', async () => {
    const offline = new PanelWindow(testHost(), new Map());
    const guide = new CommitMessages(offline.runtime);
    await folder.write({ 'tide.ts': 'HIGH\nlow\n' });
    await guide.generate(menu());
    assert.match(answers.said.join(), /A commit message needs a model/);
    assert.equal(repository.inputBox.value, '');
    guide.dispose();
    await offline.close();
  });

  it('a review of uncommitted changes sends all of them, staged or not, as one attachment', async () => {
    gemini.reply('Looks good.');
    await folder.write({ 'tide.ts': 'HIGH\nlow\n', 'other.ts': 'changed\n', 'new.ts': 'brand new\n' });
    folder.git('add', 'tide.ts');
    const chat = { reveal: () => Promise.resolve(), focus: () => Promise.resolve() };
    const { session, context } = window;
    await new EditorActions({ session, chat, attachments: context.attachments }).reviewUncommitted(menu());
    await eventually(
      'the end of the review',
      () => session.entries.some(({ kind }) => kind === 'answer') && !session.isRunning,
    );
    const [message] = session.entries;
    assert.ok(message?.kind === 'user');
    assert.match(message.text, /^Review my uncommitted changes\./);
    assert.deepEqual(
      message.attachments?.map(({ kind, label }) => `${kind} ${label}`),
      ['changes 3 changed files'],
    );
    for (const line of [/\+HIGH/, /\+changed/, /\+brand new/]) assert.match(sent(), line);
    assert.match(sent(), /<untrusted_context>/);
  });

  it('nothing to commit or to review is said', async () => {
    await commits.generate(menu());
    assert.deepEqual(answers.said, ['There are no changes to write a commit message for.']);
    assert.equal(gemini.requests.length, 0);
  });

  it('of several repositories the one whose menu was used is meant', async () => {
    const second = await createTempRepository({ 'b.ts': 'b\n' });
    const other = await openRepository(second.path);
    await second.write({ 'b.ts': 'B\n' });
    gemini.reply('Say B');
    await commits.generate({ rootUri: other.rootUri });
    assert.equal(other.inputBox.value, 'Say B');
    assert.equal(repository.inputBox.value, '');
    await second.dispose();
  });
});
