import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { call } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

const QUESTIONS = [
  {
    question: 'Which Node versions must work?',
    header: 'Node',
    type: 'choice',
    options: [
      { label: '20 and later', description: 'As in package.json' },
      { label: '22 and later', description: 'Has web streams' },
    ],
  },
  {
    question: 'What may change?',
    header: 'Scope',
    type: 'choice',
    multiSelect: true,
    options: [
      { label: 'Internal modules', description: '' },
      { label: 'Tests', description: '' },
      { label: 'Names', description: '' },
    ],
  },
  { question: 'Largest file to plan for', header: 'Size', type: 'text', placeholder: 'For example 5 GB' },
];

describe('What the agent wants to know', () => {
  const { gemini, bench } = useSharedWorkbench();

  const LIST = { 'list.txt': 'one\n' };

  async function open(): Promise<{ workbench: Workbench; chat: Chat; folder: string }> {
    const folder = await bench.folder(LIST);
    const workbench = await bench.open({ folder });
    return { workbench, chat: await Chat.open(workbench), folder };
  }

  const toldToModel = (): string => JSON.stringify(gemini().requests.at(-1)?.toolResults);
  const write = (path: string): ReturnType<typeof call> => call('write_file', { file_path: path, content: 'new\n' });

  it('is answered with a pick, several, and words of the user', async () => {
    gemini().reply(call('ask_user', { questions: QUESTIONS }));
    gemini().reply('Then I know enough.');
    const { workbench, chat } = await bench.goOn();
    await chat.send('Plan the change');
    const card = chat.tool('ask_user');
    const group = (name: string): ReturnType<typeof card.getByRole> => card.getByRole('group', { name });
    await group('Which Node versions must work?').getByRole('radio', { name: '22 and later' }).check();
    await group('What may change?').getByRole('checkbox', { name: 'Tests' }).check();
    await group('What may change?').getByRole('checkbox', { name: 'Names' }).check();
    await card.getByText('2 of 3 answered').waitFor();
    await card.getByRole('textbox', { name: 'Largest file to plan for' }).fill('2 GB');
    await workbench.screenshot('questions');
    await card.getByRole('button', { name: 'Send answers' }).click();
    await chat.answers.getByText('Then I know enough.').waitFor();
    await chat.finished();
    assert.match(toldToModel(), /22 and later.*Tests, Names.*2 GB/);
  });

  journey('can be a plan, which is carried out as the user says', async () => {
    gemini().reply(call('enter_plan_mode', { reason: 'It is a large change.' }));
    gemini().reply(write('change.md'));
    gemini().reply(call('exit_plan_mode', { plan_filename: 'change.md' }));
    gemini().reply(write('list.txt'));
    gemini().reply('It is done.');
    const { chat, folder } = await bench.goOn(LIST);
    await chat.send('Change the list');
    await chat.tool('enter_plan_mode').getByRole('button', { name: 'Allow once' }).click();
    await chat.button('Approval mode: plan').waitFor();
    await chat.tool('exit_plan_mode').getByText('new').waitFor();
    assert.equal(await readFile(join(folder, 'list.txt'), 'utf8'), 'one\n');
    assert.equal(existsSync(join(folder, 'change.md')), false, 'the plan is not in the workspace');
    await chat.button('Approve with AutoEdit').click();
    await chat.answers.getByText('It is done.').waitFor();
    await chat.finished();
    await chat.button('Approval mode: autoEdit').waitFor();
    assert.equal(await readFile(join(folder, 'list.txt'), 'utf8'), 'new\n');
  });

  it('is how much may run: edits without a question, or everything but protected files', async () => {
    gemini().reply(write('list.txt'));
    gemini().reply('Changed.');
    const { workbench, chat, folder } = await open();
    await chat.button('Approval mode: default').click();
    await workbench.pick('Edit');
    await chat.button('Approval mode: autoEdit').waitFor();
    await chat.ask('Change the list');
    assert.equal(await readFile(join(folder, 'list.txt'), 'utf8'), 'new\n');

    await chat.button('Approval mode: autoEdit').click();
    await workbench.pick('Run everything');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chat.button('Approval mode: autoEdit').click();
    await workbench.pick('Run everything');
    await dialog.getByRole('button', { name: 'Run Everything' }).click();
    await chat.button('Approval mode: yolo').waitFor();

    gemini().reply(call('run_shell_command', { command: 'touch made.txt' }));
    gemini().reply(write('.vscode/settings.json'));
    gemini().reply('Fine.');
    await chat.send('Make a file and change the settings');
    await chat
      .tool('write_file')
      .last()
      .getByText(/requires approval in every mode|protected/)
      .waitFor();
    assert.ok(existsSync(join(folder, 'made.txt')));
    assert.equal(await chat.button('More ways to allow').count(), 0);
    await workbench.screenshot('yolo-protected');
    await chat.button('Reject').click();
    await chat.finished();
    assert.equal(existsSync(join(folder, '.vscode', 'settings.json')), false);
  });
});
