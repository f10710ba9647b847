/** The processor time of the work, in milliseconds. Real time would also include the work of other programs. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return since(before);
}

export async function processorTimeOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return since(before);
}

const MORE = 8;
/** Below this, the clock of the processor is too coarse. */
const MEASURABLE_MS = 3;

/**
 * How many times longer the work takes for eight times the amount: about 8 if it grows with the amount, and 64 if it grows
 * with the square. Both take turns and about as long, so that a busy moment of the machine affects both.
 */
export function growthOf(work: (amount: number) => void, amount: number): number {
  const times = Array.from({ length: 3 }, () => [
    processorTime(() => {
      for (let again = 0; again < MORE; again++) work(amount);
    }),
    processorTime(() => work(amount * MORE)),
  ]);
  const [several = 0, one = 0] = [0, 1].map((which) => Math.min(...times.map((each) => each[which] ?? 0)));
  return (MORE * one) / Math.max(several, MEASURABLE_MS);
}

/** What `growthOf` may return for work that grows with the amount. */
export const LINEAR = 30;

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
