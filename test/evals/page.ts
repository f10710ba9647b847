import { percent, type Totals, totalsOf } from './report.ts';
import type { TaskReport } from './run-task.ts';

/** The report as one page that loads nothing: tables, and plots as inline SVG. */
export function pageOf(reports: readonly TaskReport[], made: string): string {
  const totals = totalsOf(reports);
  const agents = totals.map(({ agent }) => agent);
  const groups = (of: (report: TaskReport) => string): string => solvedBars(reports, agents, of);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evals of Gantry</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Evals</h1>
<p>${escaped(made)}. Hidden checks decide what is solved; tasks that could not run are not counted.</p>
<h2>In total</h2>
${totalsTable(totals)}
<h2>Solved by level</h2>
${groups(({ level }) => `level ${level}`)}
<h2>Solved by kind</h2>
${groups(({ kind }) => kind)}
<h2>Solved by language</h2>
${groups(({ language }) => language)}
<h2>Tokens and time of each run</h2>
${scatter(reports, agents)}
<h2>Failed calls by kind</h2>
${countBars(totals, ({ errors }) => errors)}
<h2>Rules broken</h2>
${countBars(totals, ({ rulesBroken }) => rulesBroken)}
<h2>Behaviour</h2>
${behaviourTable(totals)}
<h2>Each run</h2>
${runsTable(reports)}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --c0: #2f6fdb; --c1: #d9822b; --c2: #2a9d6f; --c3: #b04ac0; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: currentColor; }
.solved { color: #2a9d6f; } .failed { color: #d64545; }
details pre { white-space: pre-wrap; }`;

const COLOURS = ['var(--c0)', 'var(--c1)', 'var(--c2)', 'var(--c3)'];
const colour = (index: number): string => COLOURS[index % COLOURS.length] ?? 'currentColor';

function totalsTable(totals: readonly Totals[]): string {
  const columns: readonly (readonly [name: string, of: (one: Totals) => string | number])[] = [
    ['agent', ({ agent }) => agent],
    ['solved', ({ solved, ran }) => `${solved} of ${ran} (${percent(solved, ran)})`],
    ['without breaking a rule', ({ clean, ran }) => `${clean} (${percent(clean, ran)})`],
    ['solved every time / once', ({ alwaysSolved, sometimesSolved }) => `${alwaysSolved} / ${sometimesSolved}`],
    ['steps', ({ steps }) => steps],
    ['calls', ({ calls }) => calls],
    ['failed', ({ errors }) => Object.values(errors).reduce((a, b) => a + b, 0)],
    ['rejected', ({ rejected }) => rejected],
    ['repeated', ({ repeated }) => repeated],
    ['tokens in / out / cached', ({ tokens }) => `${tokens.input} / ${tokens.output} / ${tokens.cached}`],
    ['cost', ({ cost }) => `$${cost.toFixed(2)}`],
    ['time', ({ milliseconds }) => `${(milliseconds / 1000).toFixed(0)} s`],
    ['files beyond', ({ beyond }) => beyond],
    ['not run', ({ notRun }) => notRun],
  ];
  return table(
    columns.map(([name]) => name),
    totals.map((one) => columns.map(([, of]) => of(one))),
  );
}

function behaviourTable(totals: readonly Totals[]): string {
  const names = [...new Set(totals.flatMap(({ behaviours }) => Object.keys(behaviours)))];
  const cell = ({ behaviours }: Totals, name: string): string => {
    const { held, of } = behaviours[name] ?? { held: 0, of: 0 };
    return of === 0 ? '–' : `${held} of ${of}`;
  };
  return table(
    ['behaviour', ...totals.map(({ agent }) => agent)],
    names.map((name) => [name, ...totals.map((one) => cell(one, name))]),
  );
}

function runsTable(reports: readonly TaskReport[]): string {
  const rows = reports.map((report) => {
    const { task, kind, level, language, agent, model, seed, outcome, why, steps, calls, errors, rejected, repeated } =
      report;
    const { tokens, cost, milliseconds, beyond, rulesBroken } = report;
    const failed = Object.entries(errors).map(([name, count]) => `${name} ${count}`);
    const reason = why === undefined ? '' : `<details><summary>why</summary><pre>${escaped(why)}</pre></details>`;
    const cells = [
      `${escaped(task)}<br><small>${escaped(`${language}, ${kind}, level ${level}, seed ${seed}`)}</small>`,
      `${escaped(agent)}<br><small>${escaped(model)}</small>`,
      `<span class="${outcome === 'solved' ? 'solved' : 'failed'}">${outcome}</span>${reason}`,
      ...[steps, calls, escaped(failed.join(', ') || '0'), rejected, repeated].map(String),
      `${tokens.input} / ${tokens.output} / ${tokens.cached}`,
      cost === undefined ? '–' : `$${cost.toFixed(4)}`,
      `${(milliseconds / 1000).toFixed(1)} s`,
      escaped([...rulesBroken, ...beyond].join(', ')),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const heads = [
    'task',
    'agent',
    'outcome',
    'steps',
    'calls',
    'failed',
    'rejected',
    'repeated',
    'tokens in / out / cached',
    'cost',
    'time',
    'rules broken, files beyond',
  ];
  return `<table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.join('\n')}</table>`;
}

interface Bar {
  readonly label: string;
  readonly agent: number;
  /** From 0 to 1. */
  readonly length: number;
  readonly text: string;
}

function solvedBars(
  reports: readonly TaskReport[],
  agents: readonly string[],
  of: (report: TaskReport) => string,
): string {
  const ran = reports.filter(({ outcome }) => outcome !== 'not run');
  const groups = [...new Set(ran.map(of))].sort();
  const bars = groups.flatMap((group) =>
    agents.map((agent, index): Bar => {
      const own = ran.filter((report) => of(report) === group && report.agent === agent);
      const solved = own.filter(({ outcome }) => outcome === 'solved').length;
      const length = own.length === 0 ? 0 : solved / own.length;
      return { label: index === 0 ? group : '', agent: index, length, text: `${agent}: ${solved} of ${own.length}` };
    }),
  );
  return barChart(bars);
}

function countBars(totals: readonly Totals[], of: (one: Totals) => Readonly<Record<string, number>>): string {
  const names = [...new Set(totals.flatMap((one) => Object.keys(of(one))))].sort();
  if (names.length === 0) return '<p>None.</p>';
  const most = Math.max(...totals.flatMap((one) => Object.values(of(one))));
  const bars = names.flatMap((name) =>
    totals.map((one, index): Bar => {
      const count = of(one)[name] ?? 0;
      return { label: index === 0 ? name : '', agent: index, length: count / most, text: `${one.agent}: ${count}` };
    }),
  );
  return barChart(bars);
}

const [ROW, LABELS, WIDTH] = [18, 220, 420];

function barChart(bars: readonly Bar[]): string {
  const rows = bars.map(({ label, agent, length, text }, index) => {
    const y = index * ROW;
    return `<text x="${LABELS - 8}" y="${y + 13}" text-anchor="end">${escaped(label)}</text><rect x="${LABELS}" y="${y + 2}" width="${Math.max(1, length * WIDTH).toFixed(1)}" height="${ROW - 4}" fill="${colour(agent)}"/><text x="${(LABELS + length * WIDTH + 6).toFixed(1)}" y="${y + 13}">${escaped(text)}</text>`;
  });
  const height = bars.length * ROW + 4;
  return `<svg viewBox="0 0 900 ${height}" width="900" height="${height}" role="img">${rows.join('')}</svg>`;
}

/** Tokens to the right, seconds upwards, both logarithmic; a filled point is solved. */
function scatter(reports: readonly TaskReport[], agents: readonly string[]): string {
  const ran = reports.filter(({ outcome, tokens }) => outcome !== 'not run' && tokens.input > 0);
  if (ran.length === 0) return '<p>No run used tokens.</p>';
  const log = (value: number): number => Math.log10(Math.max(value, 0.01));
  const xs = ran.map(({ tokens }) => log(tokens.input + tokens.output));
  const ys = ran.map(({ milliseconds }) => log(milliseconds / 1000));
  const scale = (values: readonly number[], from: number, to: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (value: number): number => from + ((value - low) / (high - low || 1)) * (to - from);
  };
  const [x, y] = [scale(xs, 60, 860), scale(ys, 270, 20)];
  const points = ran.map(({ task, agent, outcome, tokens, milliseconds }, index) => {
    const own = colour(agents.indexOf(agent));
    const title = `${task}, ${agent}: ${tokens.input + tokens.output} tokens, ${(milliseconds / 1000).toFixed(1)} s, ${outcome}`;
    return `<circle cx="${x(xs[index] ?? 0).toFixed(1)}" cy="${y(ys[index] ?? 0).toFixed(1)}" r="4" stroke="${own}" fill="${outcome === 'solved' ? own : 'none'}"><title>${escaped(title)}</title></circle>`;
  });
  const ends = (values: readonly number[]): readonly string[] =>
    [Math.min(...values), Math.max(...values)].map((value) => String(Number((10 ** value).toPrecision(2))));
  const [tokens, seconds] = [ends(xs), ends(ys)];
  return `<svg viewBox="0 0 900 310" width="900" height="310" role="img"><path d="M50 10V280H880" fill="none" stroke="currentColor"/><text x="60" y="298">${tokens[0]} tokens</text><text x="880" y="298" text-anchor="end">${tokens[1]} tokens</text><text x="46" y="274" text-anchor="end">${seconds[0]} s</text><text x="46" y="24" text-anchor="end">${seconds[1]} s</text>${points.join('')}</svg>
<p>${agents.map((agent, index) => `<span style="color: ${colour(index)}">●</span> ${escaped(agent)}`).join(' ')}; filled: solved</p>`;
}

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string =>
    `<td${typeof value === 'number' ? ' class="number"' : ''}>${escaped(String(value))}</td>`;
  return `<table><tr>${heads.map((head) => `<th>${escaped(head)}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map(cell).join('')}</tr>`)
    .join('\n')}</table>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Answers of models and paths are text, whatever they contain. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
