/** What the bench of the panel runs in its page. Each function is sent there as it is, and can use nothing from outside. */

interface KeyTaken {
  readonly done: number;
  readonly painted: number;
}

interface FrameCount {
  readonly frames: number;
  readonly bareFrames: number;
  readonly elements: number;
}

declare global {
  interface Window {
    panelKeys?: KeyTaken[];
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

/** Of each key: until its handlers and what they draw are done, and until that is on the screen. */
export function watchKeys(): void {
  const keys: KeyTaken[] = [];
  window.panelKeys = keys;
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      const channel = new MessageChannel();
      window.addEventListener('input', () => channel.port2.postMessage(''), { once: true });
      channel.port1.onmessage = () => {
        const done = performance.now() - timeStamp;
        requestAnimationFrame(() => setTimeout(() => keys.push({ done, painted: performance.now() - timeStamp })));
      };
    },
    { capture: true },
  );
}

export function keysTaken(): readonly KeyTaken[] {
  return window.panelKeys ?? [];
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
