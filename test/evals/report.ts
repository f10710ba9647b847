import type { TaskReport } from './run-task.ts';
import { addTokens, NO_TOKENS, type Tokens } from './transcript.ts';

/** The sums of one agent. Tasks that could not run are not counted. */
export interface Totals {
  readonly agent: string;
  readonly ran: number;
  readonly solved: number;
  /** Solved, and no rule broken. */
  readonly clean: number;
  readonly notRun: number;
  /** Tasks by the share of their repetitions that were solved. */
  readonly alwaysSolved: number;
  readonly sometimesSolved: number;
  readonly steps: number;
  readonly calls: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly rejected: number;
  readonly repeated: number;
  readonly tokens: Tokens;
  readonly cost: number;
  readonly milliseconds: number;
  readonly beyond: number;
  readonly rulesBroken: Readonly<Record<string, number>>;
  /** How many runs had to show each behaviour, and how many did. */
  readonly behaviours: Readonly<Record<string, { readonly held: number; readonly of: number }>>;
}

export function totalsOf(reports: readonly TaskReport[]): readonly Totals[] {
  return [...new Set(reports.map(({ agent }) => agent))].map((agent) =>
    totalOf(
      agent,
      reports.filter((one) => one.agent === agent),
    ),
  );
}

function totalOf(agent: string, all: readonly TaskReport[]): Totals {
  const ran = all.filter(({ outcome }) => outcome !== 'not run');
  const sum = (of: (report: TaskReport) => number): number => ran.reduce((total, report) => total + of(report), 0);
  const isSolved = ({ outcome }: TaskReport): boolean => outcome === 'solved';
  const byTask = [...new Set(ran.map(({ task }) => task))].map((task) => ran.filter((report) => report.task === task));
  const behaviours: Record<string, { held: number; of: number }> = {};
  for (const [name, held] of ran.flatMap((report) => Object.entries(report.behaviours))) {
    const counts = behaviours[name] ?? { held: 0, of: 0 };
    behaviours[name] = { held: counts.held + (held ? 1 : 0), of: counts.of + 1 };
  }
  return {
    agent,
    ran: ran.length,
    solved: ran.filter(isSolved).length,
    clean: ran.filter((report) => isSolved(report) && report.rulesBroken.length === 0).length,
    notRun: all.length - ran.length,
    alwaysSolved: byTask.filter((runs) => runs.every(isSolved)).length,
    sometimesSolved: byTask.filter((runs) => runs.some(isSolved)).length,
    steps: sum(({ steps }) => steps),
    calls: sum(({ calls }) => calls),
    errors: added(ran.map(({ errors }) => errors)),
    rejected: sum(({ rejected }) => rejected),
    repeated: sum(({ repeated }) => repeated),
    tokens: ran.map(({ tokens }) => tokens).reduce(addTokens, NO_TOKENS),
    cost: sum(({ cost = 0 }) => cost),
    milliseconds: sum(({ milliseconds }) => milliseconds),
    beyond: sum(({ beyond }) => beyond.length),
    rulesBroken: added(ran.map(({ rulesBroken }) => Object.fromEntries(rulesBroken.map((rule) => [rule, 1])))),
    behaviours,
  };
}

function added(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts))) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;
}

/** The line of one task in the terminal. */
export function lineOf(report: TaskReport): string {
  const { task, agent, outcome, steps, calls, errors, tokens, milliseconds, rulesBroken, beyond, why } = report;
  const mark = { solved: '✓', failed: '✗', 'not run': '–' }[outcome];
  if (outcome === 'not run') return `${mark} ${task.padEnd(26)} ${agent}: not run: ${why}`;
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const facts = [
    `${steps} steps`,
    `${calls} calls, ${failed} failed`,
    `${tokens.input} in, ${tokens.output} out, ${tokens.cached} cached`,
    `${(milliseconds / 1000).toFixed(1)} s`,
    ...rulesBroken,
    ...(beyond.length > 0 ? [`also changed ${beyond.join(', ')}`] : []),
  ];
  const reason = why === undefined ? '' : `\n    ${why.split('\n').slice(0, 3).join('\n    ')}`;
  return `${mark} ${task.padEnd(26)} ${agent}: ${facts.join('; ')}${reason}`;
}

export function totalLine({ agent, ran, solved, clean, notRun, cost, tokens, calls, rulesBroken }: Totals): string {
  const rules = Object.entries(rulesBroken).map(([rule, count]) => `${rule} ${count}×`);
  return [
    `${agent}: ${solved} of ${ran} solved (${percent(solved, ran)}), ${clean} without breaking a rule`,
    `${calls} calls`,
    `${tokens.input} tokens in, ${tokens.output} out, ${tokens.cached} cached`,
    `$${cost.toFixed(2)}`,
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...rules,
  ].join('; ');
}
