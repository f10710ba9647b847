import { print } from '../support/output.ts';
import { measureActivation } from './activation.ts';
import { measureHeldSearch } from './held-search.ts';
import { measureHostileCalls } from './hostile-calls.ts';
import { HOSTILE_PIECES } from './hostile-texts.ts';
import { measureMcp } from './mcp.ts';
import { measureMentions } from './mentions.ts';
import { panelReport } from './panel-report.ts';
import { measurePipeline, type PipelineCost } from './pipeline.ts';
import { measurePolicy, measureShellPolicy } from './policy.ts';
import { type Comparison, measureMemory, measureStart, PROCESSES } from './processes.ts';
import { measureDiff } from './review.ts';
import { measureRouting } from './routing.ts';
import { measureEstimate, measureHostileScan, measureRequestScan, measureScan } from './safety.ts';
import { measureSandbox, measureTask } from './sandbox.ts';
import { measureShellParse, SHELL_LINES } from './shell-parse.ts';
import { bundleSizes } from './sizes.ts';
import { measureAppend, measureResume } from './storage.ts';
import { measureTerminal, type TerminalFigures } from './terminal.ts';
import { measureTurns, type TurnPlan } from './turns.ts';

const MEMORY_TURNS = 150;

const TURNS: Readonly<Record<string, TurnPlan>> = {
  'from the first': { past: 0, warmUp: 10, turns: 60 },
  'after 10 turns': { past: 10, warmUp: 10, turns: 30 },
  'after 100 turns': { past: 100, warmUp: 10, turns: 30 },
  'after 1,000 turns': { past: 1000, warmUp: 5, turns: 20 },
};

const FLOODS: Readonly<Record<string, string>> = {
  '200 MB in short lines': 'yes "a line that is as long as most lines are" | head -c 200000000',
  '1 GB in one line': 'head -c 1000000000 /dev/zero | tr "\\0" x',
};

print('Bundles (production)');
for (const { name, bytes, gzipBytes } of bundleSizes()) {
  print(`  ${name.padEnd(24)} ${kilobytes(bytes)} kB  ${kilobytes(gzipBytes)} kB gzip`);
}

const compared = `${'bare @google/genai loop'.padStart(45)}${'Gantry'.padStart(20)}${'ratio'.padStart(9)}`;
print('\nA turn: two requests with a file read between them, an answer in 100 chunks (medians; budget 1.3)');
print(compared);
for (const [label, plan] of Object.entries(TURNS)) printComparison(label, 'ms', await measureTurns(plan));

print(`\nStart of the command line to its first request (median of ${PROCESSES} processes; budget 1.0)\n${compared}`);
printComparison('-p hi', 'ms', await measureStart());
print(`\nPeak memory, a file read in each turn (median of ${PROCESSES} processes; budget 1.4)\n${compared}`);
printComparison(`${MEMORY_TURNS} turns`, 'MB', await measureMemory(MEMORY_TURNS));

const mcp = await measureMcp();
print(
  `\nTen MCP servers with ${mcp.tools} tools, which are not called (budget 2 ms for a turn; nothing waits for a server)`,
);
print(`  a turn                   ${milliseconds(mcp.turn)} ms, the first ${milliseconds(mcp.firstTurn)} ms`);
print(`  a session begins in      ${milliseconds(mcp.begin)} ms while no server answers`);

print('\nA record into the log of a session, 10,000 times');
for (const bytes of [300, 3000]) {
  const { p50, p99 } = await measureAppend(bytes, 10_000);
  print(`  ${`${bytes} bytes`.padEnd(24)} ${microseconds(p50)} µs  ${microseconds(p99)} µs at the 99th percentile`);
}

print(
  '\nMasking, cleaning, estimating and fitting a request, in processor time: the first of a process, the next (median of 20); bytes before, after',
);
const pipeline: PipelineCost[] = [];
for (const events of [1000, 10_000]) {
  const cost = await measurePipeline(events);
  pipeline.push(cost);
  const bytes = `${kilobytes(cost.bytesBefore)} kB  ${kilobytes(cost.bytesAfter)} kB`;
  print(`  ${`${events} events`.padEnd(24)} ${milliseconds(cost.first)} ms  ${milliseconds(cost.next)} ms  ${bytes}`);
}
const [few, many] = pipeline;
if (few && many) {
  const ratios = [many.first / few.first, many.next / few.next, many.bytesBefore / few.bytesBefore];
  print(
    `  10,000 to 1,000          ${ratios.map((ratio) => ratio.toFixed(1).padStart(15)).join('   ')} times the bytes`,
  );
}

print('\nWhat the rules say about a call (budget 200 µs at 500 rules)');
for (const [rules, patterns] of [
  [50, 'anchored'],
  [500, 'anchored'],
  [500, 'loose'],
  [500, 'unknown'],
] as const) {
  const call = await measurePolicy(rules, patterns);
  const command = await measureShellPolicy(rules, patterns);
  for (const [what, { p50, p99 }] of [
    ['', call],
    [', a command', command],
  ] as const) {
    const label = `${rules} ${patterns} rules${what}`;
    print(`  ${label.padEnd(32)} ${microseconds(p50)} µs  ${microseconds(p99)} µs at the 99th percentile`);
  }
}

print('\nWhat is made to keep Gantry busy, in processor time (budget 100 ms)');
for (const [what, ms] of measureHostileCalls()) print(`  ${what.padEnd(64)} ${milliseconds(ms)} ms`);

print('\nA search in a small folder by what the .gitignore below it is, with the clock (budget 100 ms)');
for (const [what, ms] of await measureHeldSearch()) print(`  ${what.padEnd(24)} ${milliseconds(ms)} ms`);

print('\nFinding the model and its configuration for a request, in a conversation of 10,000 contents');
for (const aliases of [0, 20]) {
  const { p50, p99 } = await measureRouting(aliases);
  const label = `${aliases} aliases and overrides of the user`;
  print(`  ${label.padEnd(40)} ${microseconds(p50)} µs  ${microseconds(p99)} µs at the 99th percentile`);
}

print('\nResuming a stored session (medians of 7 in new processes, and in one; budget 300 ms for 10,000 events)');
for (const wanted of [1000, 10_000]) {
  const { events, cold, warm } = await measureResume(wanted);
  print(`  ${`${events} events`.padEnd(24)} ${milliseconds(cold)} ms  ${milliseconds(warm)} ms`);
}

print('\nFinding a file while it is typed, in processor time for each key (budget 50 ms at 100,000 files)');
for (const files of [1000, 100_000]) {
  const { build, p50, p95, max, pasted } = measureMentions(files);
  const times = `${milliseconds(p50)} ms  ${milliseconds(p95)} ms at the 95th percentile  ${milliseconds(max)} ms at most, ${milliseconds(pasted)} ms pasted`;
  print(`  ${`${files} files`.padEnd(24)} ${times}; to take in the list ${milliseconds(build)} ms`);
}

print('\nLooking for secrets in what is sent (budget 20 MB/s)');
print(`  code                     ${measureScan().toFixed(0).padStart(15)} MB/s`);
for (const [what, piece] of Object.entries(HOSTILE_PIECES)) {
  const [short, long] = [250_000, 1_000_000].map((length) => measureHostileScan(piece, length)) as [number, number];
  print(
    `  ${what.padEnd(24)} ${long.toFixed(0).padStart(15)} MB/s, ${(short / long).toFixed(1)} times that in a quarter of it`,
  );
}
for (const events of [1000, 10_000]) {
  const { first, next } = measureRequestScan(events);
  print(
    `  ${`${events} events`.padEnd(24)} ${milliseconds(first)} ms for all, ${next.toFixed(1)} ms for one that is new`,
  );
}

print(`\nEstimating the tokens of code      ${measureEstimate().toFixed(0).padStart(6)} MB/s`);

print('\nReading a command line before it is judged (median of 2,000)');
for (const line of SHELL_LINES) {
  print(`  ${line.slice(0, 24).padEnd(24)} ${microseconds(await measureShellParse(line, 2000))} µs`);
}

print('\nOutput of a command through its terminal into its pane (budget 20 MB/s, 50 ms, memory that does not grow)');
for (const [label, command] of Object.entries(FLOODS)) {
  printTerminal(`${label}, only read`, await measureTerminal(command, false));
  printTerminal(label, await measureTerminal(command));
}

print('\nA command that does nothing, without and in the sandbox (budget 30 ms more on a machine that is idle)');
const confined = await measureSandbox();
print(
  confined
    ? `  true                     ${confined.bareMs.toFixed(0).padStart(8)} ms ${confined.confinedMs.toFixed(0).padStart(8)} ms`
    : '  there is no sandbox on this machine',
);

if (confined) {
  print(
    '\nThe same task of an agent without and in the sandbox, with answers at once (budget a fifth of the questions)',
  );
  for (const [where, isConfined] of [
    ['without', false],
    ['in the sandbox', true],
  ] as const) {
    const { commands, questions, ms } = await measureTask(isConfined);
    print(
      `  ${where.padEnd(24)} ${commands} commands  ${String(questions).padStart(3)} questions ${milliseconds(ms)} ms`,
    );
  }
}

print('\nThe panel in a browser, with a conversation of so many entries');
for (const line of await panelReport()) print(line);

print('\nActivation in the extension host, as VS Code measured it (median of 9 windows; budget 50 ms)');
print(`  activate()               ${(await measureActivation()).toFixed(0).padStart(8)} ms`);

print('\nFrom the call of the model to its diff on the screen (the first in a window, and the median of eight more)');
const diff = await measureDiff();
print(`  a proposed edit          ${diff.first.toFixed(0).padStart(8)} ms ${diff.later.toFixed(0).padStart(8)} ms`);
process.exit(0);

function printComparison(label: string, unit: string, { bare, gantry, ratio }: Comparison): void {
  const values = `${milliseconds(bare)} ${unit}  ${milliseconds(gantry)} ${unit}`;
  print(`  ${label.padEnd(24)} ${values} ${ratio.toFixed(2).padStart(8)}`);
}

function printTerminal(label: string, figures: TerminalFigures): void {
  const { megabytesPerSecond, megabytesPerProcessorSecond, longestDelayMs, grownMegabytes, shownMegabytes } = figures;
  print(
    `  ${label.padEnd(34)} ${megabytesPerSecond.toFixed(0)} MB/s (${megabytesPerProcessorSecond.toFixed(0)} of processor time), ` +
      `blocked for ${longestDelayMs.toFixed(0)} ms, ${grownMegabytes.toFixed(0)} MB kept, ${shownMegabytes.toFixed(0)} MB drawn`,
  );
}

function microseconds(value: number): string {
  return value.toFixed(0).padStart(15);
}

function milliseconds(value: number): string {
  return value.toFixed(1).padStart(15);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(8);
}
