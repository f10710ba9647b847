import { resolve } from 'node:path';
import { loadShellParser } from '../../extension/policy/shell/parse-shell.ts';
import { median } from './statistics.ts';

export const SHELL_LINES: readonly string[] = [
  'git status',
  'cat a.txt | grep hello && npm run build > out.log',
  'timeout 60 bash -c "npm test && git log --oneline -5"',
];

/** Microseconds to read one line and everything in it, when the parser is loaded: the median of many times. */
export async function measureShellParse(line: string, times: number): Promise<number> {
  const parser = await loadShellParser(resolve('dist/assets'));
  const durations = Array.from({ length: times }, (_, count) => {
    // Each another text: what was read before is remembered.
    const command = `${line} # ${count}`;
    const started = performance.now();
    parser.parse(command);
    return (performance.now() - started) * 1000;
  });
  return median(durations.slice(times / 10));
}
