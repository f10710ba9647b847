import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 25;
/** A child that was just forked has its parent's memory until it starts its own program. */
const LASTING_MS = 500;

/**
 * The memory that a process and its lasting children need at most, as Linux counts it. Other systems do not report it for
 * another process, so it is not a number there.
 */
export class PeakMemory {
  private peak = Number.NaN;
  private readonly firstSeen = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(pid: number | undefined) {
    this.timer = setInterval(() => {
      const now = pid === undefined ? 0 : this.megabytesOf(pid, 0);
      if (now > 0) this.peak = Math.max(now, this.peak || 0);
    }, EVERY_MS);
  }

  /** Returns the peak in MB. */
  stop(): number {
    clearInterval(this.timer);
    return this.peak;
  }

  /** A process that has just ended counts as 0. */
  private megabytesOf(pid: number, lasting: number): number {
    const since = this.firstSeen.get(pid) ?? performance.now();
    this.firstSeen.set(pid, since);
    try {
      const isLasting = performance.now() - since >= lasting;
      const own = isLasting ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) : 0;
      return childrenOf(pid).reduce((sum, child) => sum + this.megabytesOf(child, LASTING_MS), own / 1000);
    } catch {
      return 0;
    }
  }
}

/** What a process holds now. Known on Linux only. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
}

export function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
