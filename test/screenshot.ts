import { join } from 'node:path';
import { launchBrowser } from './support/browser.ts';
import { Chat } from './support/chat.ts';
import { call, thought, usage } from './support/gemini/script.ts';
import { startGeminiEndpoint } from './support/gemini/server.ts';
import { repoRoot } from './support/repo.ts';
import { copySampleWorkspace } from './support/sample-workspace.ts';
import { startVsCode } from './support/vscode/server.ts';
import { Workbench } from './support/workbench.ts';

const ANSWER = `A reading counts as a high tide when it is **not lower than both neighbours**. Two things follow from
[tides.ts:5](src/tides.ts#L5):

1. The first and last reading always have one neighbour less, so a rising series ends in a "high tide".
2. Equal readings in a row all count.

To leave out the ends:

\`\`\`ts
return readings.slice(1, -1).filter(isPeak);
\`\`\`
`;

/** The picture in the README: \`npm run screenshot\`. The words are scripted, everything else is the product. */
const endpoint = await startGeminiEndpoint();
endpoint.replyTitle('What counts as a high tide');
endpoint.reply(
  thought('The filter compares each reading with its neighbours. What happens at the ends?'),
  call('read_file', { file_path: 'src/tides.ts' }),
  call('read_file', { file_path: 'test/tides.test.ts' }),
);
endpoint.reply(ANSWER, usage({ promptTokenCount: 3120, candidatesTokenCount: 168 }));
const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
const [workspace, server, browser] = await Promise.all([
  copySampleWorkspace(),
  startVsCode({ release: 'newest', trust: 'all', env: environment }),
  launchBrowser(),
]);
const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, deviceScaleFactor: 2 });
const workbench = new Workbench(page, server);
await workbench.open({ folder: workspace.path });
const chat = await Chat.open(workbench);
await workbench.setSideBarWidth(420);
await chat.ask('When does a reading count as a high tide? Anything odd about it?');
await chat.answers.getByText('tides.ts:5').click();
await page.getByRole('tab', { name: /tides\.ts/ }).waitFor();
await workbench.screenshotTo(join(repoRoot, 'media', 'panel.png'));
process.exit(0);
