import { answerParts } from '../../extension/model/answer-parts.ts';
import { compilePattern } from '../../extension/policy/rules/safe-pattern.ts';
import { destructionOf } from '../../extension/policy/shell/destructive.ts';
import { closestRegion } from '../../extension/tools/files/replace/closest-region.ts';
import { replaceText } from '../../extension/tools/files/replace/replace-text.ts';

const LINES = 80_000;

/** What a model, a file or a rule could be made of to keep Gantry busy: what is made first, and what is measured. */
const HOSTILE: Readonly<Record<string, () => () => unknown>> = {
  'a rule (\\w|[a-z])+! on 100 kB': () => tested('(\\w|[a-z])+!', 'a'),
  'a rule git.*push on 100 kB': () => tested('git.*push', 'git '),
  'a command of 200 kB that defines functions': () => {
    const command = 'a(){a|'.repeat(33_000);
    return () => destructionOf(command, undefined, { home: '/home/u', roots: [] });
  },
  'replace 2,000 equal lines in 80,000': () =>
    replaced('  same line\n'.repeat(LINES), `${'same line\n'.repeat(1999)}other\n`),
  'replace 2,000 equal lines in 80,000, the last of them elsewhere': () =>
    replaced(`other\n${'  same line\n'.repeat(LINES)}`, `${'same line\n'.repeat(1999)}other\n`),
  'replace 2,000 lines that differ in 80,000': () => replaced(numbered(LINES, 0), numbered(2000, LINES)),
  'replace 2,000 lines that are there in another order': () =>
    replaced(numbered(LINES, 0), numbered(2000, 0).trimEnd().split('\n').reverse().join('\n')),
  'replace a line that is there 80,000 times': () => replaced('a\n'.repeat(LINES), 'a\n'),
  'arguments nested 3,000 deep': () => {
    const args = JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`);
    return () => answerParts([{ functionCall: { name: 'x', args } }]);
  },
};

/** Milliseconds of the processor for each of them, the second time. */
export function measureHostileCalls(): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(HOSTILE).map(([what, make]) => {
      const work = make();
      work();
      const started = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(started);
      return [what, (user + system) / 1000];
    }),
  );
}

function tested(source: string, piece: string): () => boolean {
  const text = `${piece.repeat(100_000 / piece.length)}#`;
  return () => {
    const compiled = compilePattern(source);
    return 'pattern' in compiled && compiled.pattern.test(text);
  };
}

function replaced(before: string, wanted: string): () => unknown {
  return () => [
    replaceText(before, { wanted, replacement: 'x', allowMultiple: false }).kind,
    closestRegion(before, wanted),
  ];
}

function numbered(count: number, first: number): string {
  return Array.from({ length: count }, (_, line) => `const value = compute(${first + line}, other);\n`).join('');
}
