import { compilePattern } from '../../extension/policy/rules/safe-pattern.ts';
import { destructionOf } from '../../extension/policy/shell/destructive.ts';
import { answerParts } from '../../extension/protocol/transcript/answer-parts.ts';
import { closestRegion } from '../../extension/tools/files/replace/closest-region.ts';
import { replaceText } from '../../extension/tools/files/replace/replace-text.ts';

const LINES = 80_000;

/** What a model, a file or a rule could be made of to keep Gantry busy. */
const HOSTILE: Readonly<Record<string, () => unknown>> = {
  'a rule (\\w|[a-z])+! on 100 kB': () => tested('(\\w|[a-z])+!', 'a'),
  'a rule git.*push on 100 kB': () => tested('git.*push', 'git '),
  'a command of 200 kB that defines functions': () =>
    destructionOf('a(){a|'.repeat(33_000), undefined, { home: '/home/u', roots: [] }),
  'replace 2,000 equal lines in 80,000': () =>
    replaced('  same line\n'.repeat(LINES), `${'same line\n'.repeat(1999)}other\n`),
  'replace 2,000 lines that differ in 80,000': () => replaced(numbered(LINES, 0), numbered(2000, LINES)),
  'replace a line that is there 80,000 times': () => replaced('a\n'.repeat(LINES), 'a\n'),
  'arguments nested 3,000 deep': () =>
    answerParts([{ functionCall: { name: 'x', args: JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`) } }]),
};

/** Milliseconds of the processor for each of them, the second time. */
export function measureHostileCalls(): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(HOSTILE).map(([what, work]) => {
      work();
      const started = process.cpuUsage();
      work();
      return [what, process.cpuUsage(started).user / 1000];
    }),
  );
}

function tested(source: string, piece: string): boolean {
  const compiled = compilePattern(source);
  return 'pattern' in compiled && compiled.pattern.test(`${piece.repeat(100_000 / piece.length)}#`);
}

function replaced(before: string, wanted: string): unknown {
  return [replaceText(before, { wanted, replacement: 'x', allowMultiple: false }).kind, closestRegion(before, wanted)];
}

function numbered(count: number, first: number): string {
  return Array.from({ length: count }, (_, line) => `const value = compute(${first + line}, other);\n`).join('');
}
