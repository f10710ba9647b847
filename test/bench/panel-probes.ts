/** What the bench of the panel runs in its page. Each function is sent there as it is, and can use nothing from outside. */

interface KeyTaken {
  /** From the key until its handlers and what they draw are done, in ms. */
  readonly done: number;
  /** Until that is on the screen; the browser rounds it to 8 ms. */
  readonly painted: number;
}

interface FrameCount {
  readonly frames: number;
  readonly bareFrames: number;
  readonly elements: number;
}

declare global {
  /** Not in the library of TypeScript yet. */
  interface PerformanceObserverInit {
    durationThreshold?: number;
  }
  interface Window {
    panelKeys?(): readonly KeyTaken[];
    panelFrames?(): FrameCount;
  }
}

/** When the last entry was painted, in ms from the beginning of the page. */
export function openedAt(): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      const log = document.querySelector('.log');
      const isThere = log?.querySelector('gantry-entry .md, gantry-entry article') && log.scrollHeight > 0;
      if (!isThere) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
}

/** Has the browser itself say how long each event of a key waits and is worked on, and when that is painted. */
export function watchKeys(): void {
  const events: PerformanceEventTiming[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry instanceof PerformanceEventTiming) events.push(entry);
  });
  // The shortest that browsers tell of, counted until it is painted.
  observer.observe({ type: 'event', durationThreshold: 16 });
  window.panelKeys = () => {
    const told = events.filter(({ name }) => /^(key(down|press)|(before)?input)$/.test(name));
    const starts = told.filter(({ name }) => name === 'keydown').map(({ startTime }) => startTime);
    return starts.map((start, at) => {
      const next = starts[at + 1] ?? Number.POSITIVE_INFINITY;
      const ofKey = told.filter(({ startTime }) => startTime >= start && startTime < next);
      return {
        done: Math.max(...ofKey.map(({ processingEnd }) => processingEnd)) - start,
        painted: Math.max(...ofKey.map(({ startTime, duration }) => startTime + duration)) - start,
      };
    });
  };
}

export function keysTaken(): readonly KeyTaken[] {
  return window.panelKeys?.() ?? [];
}

/** Looks at each frame whether a place without entries is seen in the log. */
export function watchFrames(): void {
  const log = document.querySelector('.log');
  if (!log) throw new Error('There is no conversation.');
  let [frames, bareFrames, elements] = [0, 0, 0];
  const look = (): void => {
    const { top, bottom } = log.getBoundingClientRect();
    const isBare = [...log.querySelectorAll('gantry-gap')].some((gap) => {
      const box = gap.getBoundingClientRect();
      return box.height > 0 && box.bottom > top && box.top < bottom;
    });
    frames++;
    if (isBare) bareFrames++;
    elements = Math.max(elements, document.querySelectorAll('*').length);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.panelFrames = () => ({ frames, bareFrames, elements });
}
