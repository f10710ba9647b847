/** Milliseconds that the work kept this process busy. The clock would also count what other programs did meanwhile. */
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

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
