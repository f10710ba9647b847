/** All test command lines write to the terminal with this function. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
