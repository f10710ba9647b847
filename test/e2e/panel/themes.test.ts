import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { quotaExceeded } from '../../support/gemini/faults.ts';
import { call, thought, usage } from '../../support/gemini/script.ts';
import { it } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { ColorTheme } from '../../support/workbench.ts';

/** Each theme is picked as a user does, which takes its time. */
const SLOW = 120_000;

const THEMES: readonly ColorTheme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

const ANSWER = `The server reads its settings in \`src/server.ts\`, **before** anything listens:

\`\`\`ts
export function start(port: number): Server {
  return createServer(handle).listen(port);
}
\`\`\`

| file | what it does |
|---|---|
| [src/server.ts](src/server.ts) | starts and stops |
| src/routes.ts | finds the handler |

1. Read the settings
2. Open the port
`;

describe('The panel', () => {
  const { gemini, bench } = useSharedWorkbench();

  it('fits a side bar of 300 px and follows the four themes', async () => {
    gemini().reply(thought('I should read the file first.'), call('read_file', { file_path: 'README.md' }));
    gemini().reply(ANSWER, usage({ promptTokenCount: 800_000, candidatesTokenCount: 410 }));
    gemini().always(quotaExceeded({ retryDelay: '200s' }));
    const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    await workbench.screenshot('empty-dark-300');
    await chat.ask('How does the server start?');
    await chat.send('And how does it stop?');
    await chat.alert.waitFor();
    const backgrounds = new Set<string>();
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      const frame = await workbench.chatFrame();
      backgrounds.add(await frame.evaluate(() => getComputedStyle(document.body).backgroundColor));
      const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide in ${theme}`);
      await workbench.screenshot(`conversation-${theme}-300`);
    }
    assert.ok(backgrounds.size >= 3, `the themes differ: ${[...backgrounds].join(', ')}`);
    await workbench.setTheme('dark');
    await workbench.setSideBarWidth(480);
    await workbench.screenshot('conversation-dark-480');
  });
});

describe('The panel, when it asks', () => {
  const { gemini, bench } = useSharedWorkbench();

  it('fits a side bar of 300 px in the four themes', async () => {
    gemini().reply(
      'I will note it down.',
      call('write_note', { path: 'docs/a-rather-long-name-for-a-note.md', text: 'x' }),
    );
    const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    await chat.send('Write down what we decided');
    await chat.button('Allow once').waitFor();
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      const frame = await workbench.chatFrame();
      const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide in ${theme}`);
      await workbench.screenshot(`approval-${theme}-300`);
      await chat.button('Sessions').click();
      await chat.sessions.getByRole('option').first().waitFor();
      await workbench.screenshot(`sessions-${theme}-300`);
      await workbench.page.keyboard.press('Escape');
    }
    await chat.button('Stop').click();
    await chat.finished();
  });

  it('fits with each kind of question in a side bar of 300 px, in light high contrast', async function () {
    this.timeout(SLOW);
    const question = { question: 'Which Node?', header: 'Node', type: 'choice', options: OPTIONS };
    gemini().reply(
      call('run_shell_command', { command: 'cat list\u200b.txt | tee out/copy.log' }),
      call('write_file', { file_path: 'notes/a-new-one.md', content: 'One line\nand another\n' }),
      call('web_fetch', { prompt: 'Read https://example.org/a/rather/long/path?with=a&query=string' }),
      call('ask_user', { questions: [question] }),
    );
    const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    await workbench.setTheme('hc-light');
    await chat.send('Do all of it');
    for (const tool of ['run_shell_command', 'write_file', 'web_fetch', 'ask_user']) {
      await chat.tool(tool).locator('.ask').scrollIntoViewIfNeeded();
      await workbench.screenshot(`asks-${tool}-hc-light-300`);
    }
    await chat.button('Stop').click();
    await chat.finished();
  });

  it('fits with a plan in a side bar of 300 px in the four themes', async function () {
    this.timeout(SLOW);
    gemini().reply(call('write_file', { file_path: 'change.md', content: PLAN }));
    gemini().reply(call('exit_plan_mode', { plan_filename: 'change.md' }));
    const workbench = await bench.open({ folder: await bench.sampleWorkspace() }, { 'gantry.approvalMode': 'plan' });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    await chat.send('Plan it');
    await chat.button('Approve').waitFor();
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`plan-${theme}-300`);
    }
    await chat.button('Stop').click();
    await chat.finished();
  });
});

const OPTIONS = [
  { label: '20 and later', description: 'As in package.json' },
  { label: '22 and later', description: 'Has web streams' },
];

const PLAN = `# Read the settings once

1. Move \`readSettings\` out of \`src/server.ts\`
2. Call it from \`main\`, **before** the port is opened

| file | change |
|---|---|
| src/server.ts | takes settings |
| src/main.ts | reads them |

${Array.from({ length: 12 }, (_, part) => `Then run the tests of part ${part}, and look at what they say about it.\n\n`).join('')}`;
