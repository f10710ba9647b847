import { join } from 'node:path';
import { launchBrowser } from './support/browser.ts';
import { Chat } from './support/chat.ts';
import { call, thought, usage } from './support/gemini/script.ts';
import { startGeminiEndpoint } from './support/gemini/server.ts';
import { repoRoot } from './support/repo.ts';
import { copySampleWorkspace } from './support/sample-workspace.ts';
import { startVsCode } from './support/vscode/server.ts';
import { Workbench } from './support/workbench.ts';

const OLD = `    const before = readings[index - 1]?.metres ?? Number.NEGATIVE_INFINITY;
    const after = readings[index + 1]?.metres ?? Number.NEGATIVE_INFINITY;`;
const NEW = `    const before = readings[index - 1]?.metres;
    const after = readings[index + 1]?.metres;
    if (before === undefined || after === undefined) return false;`;

/** The picture in the README: \`npm run screenshot\`. The words are scripted, everything else is the product. */
const endpoint = await startGeminiEndpoint();
endpoint.replyTitle('A rising series has no high tide');
endpoint.reply(
  thought('The filter compares each reading with its neighbours. What happens at the ends?'),
  call('read_file', { file_path: 'src/tides.ts' }),
  call('grep_search', { pattern: 'highTides' }),
);
endpoint.reply(
  'The first and last reading have one neighbour less, so a rising series ends in a "high tide". They should not count.',
  call('replace', { file_path: 'src/tides.ts', old_string: OLD, new_string: NEW, instruction: 'Leave out the ends' }),
  usage({ promptTokenCount: 3120, candidatesTokenCount: 168 }),
);
const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
const [workspace, server, browser] = await Promise.all([
  copySampleWorkspace(),
  startVsCode({ release: 'newest', trust: 'all', env: environment }),
  launchBrowser(),
]);
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, deviceScaleFactor: 2 });
const workbench = new Workbench(page, server);
await workbench.open({ folder: workspace.path });
const chat = await Chat.open(workbench);
await workbench.setSideBarWidth(420);
await workbench.openFile('tides.ts');
await chat.send('Why is the last reading a high tide? Please fix it.');
await chat.button('Allow once').waitFor();
await page.getByText('Initializing').waitFor({ state: 'hidden' });
await workbench.screenshotTo(join(repoRoot, 'media', 'panel.png'));
process.exit(0);
