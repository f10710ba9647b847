import { join } from 'node:path';
import { launchBrowser } from './support/browser.ts';
import { recordWork } from './support/dashboard/recorded-work.ts';
import { telemetryPage } from './support/dashboard/telemetry-page.ts';
import { repoRoot } from './support/repo.ts';

/** The picture in docs/telemetry.md: what a receiver got from two hours of scripted work. `npm run screenshot` makes it. */
const [work, browser] = await Promise.all([recordWork(), launchBrowser()]);
const page = await browser.newPage({ viewport: { width: 1320, height: 400 }, deviceScaleFactor: 2 });
await page.setContent(telemetryPage(work));
await page.screenshot({ path: join(repoRoot, 'media', 'telemetry.png'), fullPage: true });
process.exit(0);
