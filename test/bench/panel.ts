import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { answered } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { PanelTab } from '../support/panel/panel-tab.ts';
import { eventually } from '../support/poll.ts';
import { keysTaken, openedAt, watchFrames, watchKeys } from './panel-probes.ts';
import { median, percentile } from './statistics.ts';

export interface PanelFigures {
  /** From the empty page to the last entry on the screen, in ms. */
  readonly openMs: number;
  /** The processor time of the page's thread in that, which other work on the machine does not change. */
  readonly openCpuMs: number;
  /** What scripts hold after garbage was collected, in MB: when opened, and after a walk through the conversation. */
  readonly heapMb: number;
  readonly heapAfterMb: number;
  /** Elements on the page, the most that were seen. */
  readonly elements: number;
  /** From a key until what it does is done, at the 95th percentile, in ms, while an answer streams; and until that is painted. */
  readonly keyMs: number;
  readonly keyPaintedMs: number;
  /** The same two in a page with nothing but an input. */
  readonly bareKeyMs: number;
  readonly bareKeyPaintedMs: number;
  /** How much of a processor the page's thread takes meanwhile, in percent. */
  readonly streamingCpu: number;
  /** Frames while scrolling, and those of them in which a place without entries was seen. */
  readonly frames: number;
  readonly bareFrames: number;
  /** Messages to the panel in a second of streaming. */
  readonly postsPerSecond: number;
}

const OPENINGS = 5;
const KEYS = 120;
const CHUNKS_PER_SECOND = 300;
const WHEEL_TURNS = 120;

/** The built panel in a real Chromium, with a conversation of so many entries. */
export async function measurePanel(entries: number): Promise<PanelFigures> {
  const browser = await launchBrowser();
  try {
    const openings: Opening[] = [];
    for (let n = 0; n < OPENINGS; n++) openings.push(await measureOpening(browser, entries));
    const openMs = median(openings.map(({ wall }) => wall));
    const openCpuMs = median(openings.map(({ cpu }) => cpu));
    return { openMs, openCpuMs, ...(await measureUse(browser, entries)), ...(await measureBareKeys(browser)) };
  } finally {
    await browser.close();
  }
}

async function openPanel(browser: Browser, count: number): Promise<PanelPage> {
  const context = await browser.newContext();
  return (await PanelTab.open(context)).show({ entries: longConversation(count), width: 400, height: 900 });
}

interface Opening {
  readonly wall: number;
  readonly cpu: number;
}

async function measureOpening(browser: Browser, count: number): Promise<Opening> {
  const panel = await openPanel(browser, count);
  const wall = await panel.page.evaluate(openedAt);
  const cpu = await processorTime(panel);
  await panel.reload();
  await panel.page.evaluate(openedAt);
  const cpuMs = await cpu();
  await panel.page.context().close();
  return { wall, cpu: cpuMs };
}

/** Begins to count what the page's thread takes; the function that it returns says how many ms that were. */
async function processorTime({ page }: PanelPage): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const before = await taskMs();
  return async () => {
    const spent = (await taskMs()) - before;
    await session.detach();
    return spent;
  };
}

async function measureUse(
  browser: Browser,
  count: number,
): Promise<Omit<PanelFigures, 'openMs' | 'openCpuMs' | keyof BareKeys>> {
  const panel = await openPanel(browser, count);
  await panel.page.evaluate(openedAt);
  const heapMb = await heapOf(panel);
  const scrolling = await measureScrolling(panel);
  // An answer is written where the reader sees it.
  await panel.conversation.focus();
  await panel.page.keyboard.press('End');
  await panel.conversation.getByText(`so answer ${count - 1} ends here`).waitFor();
  const keys = await measureKeys(panel);
  const heapAfterMb = await heapOf(panel);
  await panel.page.context().close();
  return { heapMb, ...scrolling, ...keys, heapAfterMb };
}

async function heapOf({ page }: PanelPage): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

type Keys = Pick<PanelFigures, 'keyMs' | 'keyPaintedMs' | 'streamingCpu' | 'postsPerSecond'>;
type BareKeys = Pick<PanelFigures, 'bareKeyMs' | 'bareKeyPaintedMs'>;

async function measureKeys(panel: PanelPage): Promise<Keys> {
  await panel.setState({ running: true, startedAt: Date.now() });
  await panel.put(answered('', { id: 'streamed', state: 'streaming' }));
  await panel.message.focus();
  await panel.page.evaluate(watchKeys);
  const cpu = await processorTime(panel);
  const posted = panel.posted.length;
  const start = performance.now();
  const stopped = new AbortController();
  const streaming = streamInto(panel, stopped.signal);
  await pressKeys(panel.page);
  const seconds = (performance.now() - start) / 1000;
  stopped.abort();
  await streaming;
  const cpuMs = await cpu();
  const { done, painted } = await keyTimes(panel.page);
  return {
    keyMs: done,
    keyPaintedMs: painted,
    streamingCpu: cpuMs / seconds / 10,
    postsPerSecond: (panel.posted.length - posted) / seconds,
  };
}

async function measureBareKeys(browser: Browser): Promise<BareKeys> {
  const page = await browser.newPage();
  await page.setContent('<textarea aria-label="Message"></textarea>');
  await page.getByRole('textbox').focus();
  await page.evaluate(watchKeys);
  await pressKeys(page);
  const { done, painted } = await keyTimes(page);
  await page.close();
  return { bareKeyMs: done, bareKeyPaintedMs: painted };
}

async function pressKeys(page: Page): Promise<void> {
  for (let n = 0; n < KEYS; n++) {
    await page.keyboard.press(n % 8 === 7 ? 'Space' : 'a');
    await delay(20);
  }
}

/** At the 95th percentile. */
async function keyTimes(page: Page): Promise<{ readonly done: number; readonly painted: number }> {
  const taken = await page.evaluate(keysTaken);
  return { done: p95(taken.map(({ done }) => done)), painted: p95(taken.map(({ painted }) => painted)) };
}

function p95(times: readonly number[]): number {
  return percentile(times, 95);
}

async function streamInto(panel: PanelPage, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  for (let sent = 0; !signal.aborted; ) {
    const due = ((performance.now() - start) / 1000) * CHUNKS_PER_SECOND;
    for (; sent < due; sent++) panel.stream({ op: 'append', id: 'streamed', text: chunk(sent) });
    await delay(3);
  }
}

/** Words, and now and then a new paragraph, a list or code. */
function chunk(index: number): string {
  if (index % 200 === 199) return '\n\n```ts\nconst tide = high(table);\n```\n\n';
  if (index % 60 === 59) return '\n\n- ';
  return index % 25 === 24 ? '\n\n' : (['the ', '`tide` ', 'is ', '**high** ', 'at ', 'noon '][index % 6] ?? '');
}

async function measureScrolling(panel: PanelPage): Promise<Pick<PanelFigures, 'frames' | 'bareFrames' | 'elements'>> {
  await panel.conversation.hover();
  await panel.page.evaluate(watchFrames);
  for (let n = 0; n < WHEEL_TURNS; n++) {
    await panel.page.mouse.wheel(0, n < (WHEEL_TURNS * 2) / 3 ? -360 : 360);
    await delay(16);
  }
  return eventually('the frames', () => panel.page.evaluate(() => window.panelFrames?.()));
}
