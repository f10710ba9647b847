import { once } from '../../extension/base/once.ts';
import { a2aTable } from './a2a-table.ts';
import { ACPX_NAME, measureAcpx } from './acpx.ts';
import { measureActivation } from './activation.ts';
import { measureCallOverhead } from './call-overhead.ts';
import { type Conversation, column, measureConversations, OWN_PROGRAMS, rowOf } from './conversation.ts';
import { measureEnvironment } from './environment.ts';
import { measureFirstCommand } from './first-command.ts';
import { measureStep } from './growth.ts';
import { measureHeldSearch } from './held-search.ts';
import { measureHostMemory } from './host-memory.ts';
import { measureHostileCalls } from './hostile-calls.ts';
import { HOSTILE_PIECES } from './hostile-texts.ts';
import { measureInstruction } from './instruction.ts';
import { languageServerRows } from './language-server.ts';
import { measureCallsInLarge, measureFirstMentions } from './large-workspace.ts';
import { measureMcp } from './mcp.ts';
import type { Budget, Figures, Measurement } from './measurement.ts';
import { measureMentions } from './mentions.ts';
import { measureMessages } from './message.ts';
import { measureClient } from './other-clients.ts';
import { measurePanel, type PanelFigures } from './panel.ts';
import { peerPrograms } from './peers.ts';
import { measurePipeline } from './pipeline.ts';
import { measurePolicy, measureShellPolicy } from './policy.ts';
import { measureMemory } from './processes.ts';
import { measureDiff } from './review.ts';
import { measureRouting } from './routing.ts';
import { measureEstimate, measureHostileScan, measureRequestScan, measureScan } from './safety.ts';
import { measureSandbox, measureTask } from './sandbox.ts';
import { measureShellParse, SHELL_LINES } from './shell-parse.ts';
import { bundleSizes, firstPaintSize } from './sizes.ts';
import { measureAppend, measureResume } from './storage.ts';
import { measureTelemetry } from './telemetry.ts';
import { measureTerminal, type TerminalFigures } from './terminal.ts';
import { measureTurns } from './turns.ts';

/** What `npm run bench` measures, in this order. Budgets are ratios in one run where there is something to compare with. */
export function createTable(options: { readonly withPeers: boolean }): readonly Measurement[] {
  return [
    { name: 'bundles: compressed', unit: 'kB', measure: bundleSizes },
    ...conversation(options.withPeers),
    ...turns(options.withPeers),
    ...a2aTable(options.withPeers),
    ...growth(),
    ...parts(),
    ...hostile(),
    ...commands(),
    ...languageServerRows(),
    ...panel(),
    ...windows(),
  ];
}

/** 150 calls of the model with one file read each and answers of one chunk: what a start and a call cost. */
function conversation(withPeers: boolean): readonly Measurement[] {
  const peers = withPeers ? peerPrograms() : [];
  const run = once(() => measureConversations([...OWN_PROGRAMS, ...peers]));
  const start: Budget = { of: ['command line'], per: 'bare', atMost: 0.9 };
  const call: Budget = { of: ['command line', 'runtime'], per: 'bare', atMost: 1.3 };
  const rows: readonly [string, keyof Conversation, Budget, string][] = [
    ['start to first request', 'start', start, 'ms'],
    ['a call', 'all', call, 'ms'],
    ['a call of the first ten', 'first', call, 'ms'],
    ['a call of the last ten', 'last', call, 'ms'],
    ['peak memory', 'peak', { of: ['command line'], atMost: 160 }, 'MB'],
  ];
  const besideBare = rows.map(([name, key, budget, unit]) => ({
    name: `conversation: ${name}`,
    unit,
    budget,
    measure: async () => column(await run(), OWN_PROGRAMS, key),
  }));
  if (!withPeers) return besideBare;
  const byProgram = [...OWN_PROGRAMS, ...peers].map(({ name }) => ({
    name: `conversation: ${name}`,
    unit: 'ms and MB',
    measure: async () => rowOf(await run(), name),
  }));
  const besidePeers = rows.map(([name, key, , unit]) => ({
    name: `conversation: ${name}, beside peers`,
    unit,
    budget: { of: ['command line'], per: 'best peer', atMost: 1 },
    measure: async () => {
      const best = Math.min(...Object.values(column(await run(), peers, key)));
      const { 'command line': ours = Number.NaN } = column(await run(), OWN_PROGRAMS, key);
      return { 'command line': ours, 'best peer': best };
    },
  }));
  return [...besideBare, ...byProgram, ...besidePeers];
}

/** Two requests with a file read between them and an answer in 100 chunks, beside a bare loop. */
function turns(withPeers: boolean): readonly Measurement[] {
  const budget: Budget = { of: ['Gantry'], per: 'bare', atMost: 1.3 };
  const plans = {
    'from the first': { past: 0, warmUp: 10, turns: 60 },
    'after 10': { past: 10, warmUp: 10, turns: 30 },
    'after 100': { past: 100, warmUp: 10, turns: 30 },
    'after 1,000': { past: 1000, warmUp: 5, turns: 20 },
  };
  const mcp = once(measureMcp);
  return [
    ...Object.entries(plans).map(([name, plan]) => ({
      name: `turns: ${name}`,
      unit: 'ms',
      budget,
      measure: async () => ({ ...(await measureTurns(plan)) }),
    })),
    {
      name: 'turns: for another editor, over ACP',
      unit: 'ms',
      budget: { of: ['ACP'], per: 'in process', atMost: 1.15 },
      measure: () => measureClient('ACP', { warmUp: 10, turns: 60 }),
    },
    ...(withPeers ? [{ name: `prompts from ${ACPX_NAME}, over ACP`, unit: 'ms', measure: measureAcpx }] : []),
    {
      name: 'turns: with telemetry',
      unit: 'ms',
      budget: { of: ['on', 'no receiver'], per: 'off', atMost: 1.03 },
      measure: () => measureTelemetry({ warmUp: 15, turns: 200 }),
    },
    {
      name: 'turns: peak memory over 150',
      unit: 'MB',
      budget: { ...budget, atMost: 1.4 },
      measure: async () => ({ ...(await measureMemory(150)) }),
    },
    {
      name: 'turns: what ten idle MCP servers add',
      unit: 'ms',
      budget: { of: ['a turn'], atMost: 2 },
      measure: async () => ({ 'a turn': (await mcp()).turn, 'the first': (await mcp()).firstTurn }),
    },
    {
      name: 'turns: a session begins while ten MCP servers do not answer',
      unit: 'ms',
      measure: async () => ({ begin: (await mcp()).begin }),
    },
  ];
}

/** What long conversations and large workspaces add. */
function growth(): readonly Measurement[] {
  const steps = once(async () => [await measureStep(100), await measureStep(10_000)] as const);
  const resume = once(() => measureResume(10_000));
  const inLarge = once(measureCallsInLarge);
  const large: Budget = { of: ['200,000 files'], per: 'few files', atMost: 1.1 };
  return [
    {
      name: 'growth: a step at 10,000 events, in steps at 100',
      unit: '',
      budget: { of: ['Gantry'], per: 'bare', atMost: 1.1 },
      measure: async () => {
        const [few, many] = await steps();
        return { bare: many.bare / few.bare, Gantry: many.Gantry / few.Gantry };
      },
    },
    {
      name: 'growth: a step at 10,000 events',
      unit: 'ms',
      measure: async () => ({ ...(await steps())[1] }),
    },
    {
      name: 'growth: resuming 10,000 events',
      unit: 'ms',
      budget: { of: ['cold'], atMost: 200 },
      measure: async () => ({ cold: (await resume()).cold, warm: (await resume()).warm }),
    },
    {
      name: 'growth: the first request after resuming blocks for',
      unit: 'ms',
      budget: { atMost: 200 },
      measure: async () => ({ blocked: (await resume()).blocked }),
    },
    {
      name: 'growth: start to first request in 200,000 files',
      unit: 'ms',
      budget: large,
      measure: async () => (await inLarge())('start'),
    },
    {
      name: 'growth: a call in 200,000 files',
      unit: 'ms',
      budget: large,
      measure: async () => (await inLarge())('all'),
    },
    ...[1000, 100_000, 200_000].map((files) => ({
      name: `growth: a key after @ in ${files.toLocaleString('en-US')} files`,
      unit: 'ms of the processor',
      budget: { of: ['p50', 'p95', 'max', 'pasted'], atMost: files > 100_000 ? 100 : 50 },
      measure: () => ({ ...measureMentions(files) }),
    })),
  ];
}

/** Parts of a step, alone. */
function parts(): readonly Measurement[] {
  const rules = {
    '50': [50, 'anchored'],
    '500': [500, 'anchored'],
    loose: [500, 'loose'],
    unknown: [500, 'unknown'],
  } as const;
  const overhead = once(measureCallOverhead);
  const byRules = async (measure: typeof measurePolicy): Promise<Figures> => {
    const figures: Record<string, number> = {};
    for (const [name, [count, patterns]] of Object.entries(rules)) figures[name] = (await measure(count, patterns)).p50;
    return figures;
  };
  return [
    ...[300, 3000].map((bytes) => ({
      name: `parts: a record of ${bytes} bytes into the session's log`,
      unit: 'µs',
      measure: async () => ({ ...(await measureAppend(bytes, 10_000)) }),
    })),
    ...[1000, 10_000].map((events) => ({
      name: `parts: masking, cleaning and fitting ${events.toLocaleString('en-US')} events`,
      unit: 'ms of the processor',
      measure: async () => {
        const { first, next } = await measurePipeline(events);
        return { first, next };
      },
    })),
    {
      name: 'parts: telling about the machine and the workspace, at 10,000 events',
      unit: 'ms of the processor',
      budget: { of: ['step'], atMost: 1 },
      measure: async () => ({ ...(await measureEnvironment(10_000)) }),
    },
    {
      name: 'parts: the instruction of a step after the first',
      unit: 'ms',
      budget: { atMost: 1 },
      measure: measureInstruction,
    },
    {
      name: 'parts: what plugins and scheduler add to a call',
      unit: 'ms',
      budget: { of: ['p95'], atMost: 0.2 },
      measure: async () => (await overhead()).own,
    },
    {
      name: 'parts: a call without its body, with records and ADK',
      unit: 'ms',
      budget: { of: ['p95'], atMost: 5 },
      measure: async () => (await overhead()).together,
    },
    {
      name: 'parts: a call, by the number and kind of rules',
      unit: 'µs',
      budget: { atMost: 200 },
      measure: () => byRules(measurePolicy),
    },
    {
      name: 'parts: a command, by the number and kind of rules',
      unit: 'µs',
      budget: { per: '50', atMost: 1.5 },
      measure: () => byRules(measureShellPolicy),
    },
    ...[50, 500].map((count) => ({
      name: `parts: explaining the decision about a command, ${count} rules`,
      unit: 'µs',
      budget: { of: ['explain'], per: 'decide', atMost: 3 },
      measure: async () => ({
        decide: (await measureShellPolicy(count)).p50,
        explain: (await measureShellPolicy(count, 'anchored', 'explain')).p50,
      }),
    })),
    ...[0, 20].map((aliases) => ({
      name: `parts: choosing a model with ${aliases} aliases`,
      unit: 'µs',
      measure: async () => ({ ...(await measureRouting(aliases)) }),
    })),
    {
      name: 'parts: looking for secrets in code',
      unit: 'MB/s',
      budget: { atLeast: 20 },
      measure: () => ({ code: measureScan() }),
    },
    ...[1000, 10_000].map((events) => ({
      name: `parts: looking for secrets in ${events.toLocaleString('en-US')} events`,
      unit: 'ms',
      measure: () => ({ ...measureRequestScan(events) }),
    })),
    { name: 'parts: estimating tokens of code', unit: 'MB/s', measure: () => ({ code: measureEstimate() }) },
    ...SHELL_LINES.map((line) => ({
      name: `parts: parsing ${line.slice(0, 24)}`,
      unit: 'µs',
      measure: async () => ({ median: await measureShellParse(line, 2000) }),
    })),
  ];
}

/** What is made to keep Gantry busy. */
function hostile(): readonly Measurement[] {
  const rates = once(async () => [ratesOfHostileTexts(250_000), ratesOfHostileTexts(1_000_000)] as const);
  return [
    {
      name: 'hostile: calls',
      unit: 'ms of the processor',
      budget: { atMost: 100 },
      measure: () => Object.fromEntries(measureHostileCalls()),
    },
    {
      name: 'hostile: a search, by what the .gitignore is',
      unit: 'ms',
      budget: { atMost: 100 },
      measure: async () => {
        const figures = Object.fromEntries(await measureHeldSearch());
        return Object.keys(figures).length === 0 ? 'this system has no named pipes' : figures;
      },
    },
    {
      name: 'hostile: looking for secrets in 1 MB',
      unit: 'MB/s',
      budget: { atLeast: 20 },
      measure: async () => (await rates())[1],
    },
    {
      name: 'hostile: the same for a quarter, in rates for all',
      unit: '',
      // A scan that is not linear takes four times as long for each byte of four times the text.
      budget: { atMost: 2 },
      measure: async () => {
        const [short, long] = await rates();
        return Object.fromEntries(Object.keys(short).map((name) => [name, (short[name] ?? 0) / (long[name] ?? 0)]));
      },
    },
  ];
}

function ratesOfHostileTexts(length: number): Figures {
  return Object.fromEntries(
    Object.entries(HOSTILE_PIECES).map(([name, piece]) => [name, measureHostileScan(piece, length)]),
  );
}

/** Commands with much output, and in the sandbox. */
function commands(): readonly Measurement[] {
  const floods = {
    '200 MB in short lines': 'yes "a line that is as long as most lines are" | head -c 200000000',
    '1 GB in one line': 'head -c 1000000000 /dev/zero | tr "\\0" x',
  };
  return [
    ...Object.entries(floods).flatMap(([name, command]) => {
      const run = once(async () => ({
        'only read': await measureTerminal(command, false),
        shown: await measureTerminal(command),
      }));
      const figure = async (key: keyof TerminalFigures): Promise<Figures> => {
        const { 'only read': read, shown } = await run();
        return { 'only read': read[key], shown: shown[key] };
      };
      return [
        {
          name: `commands: ${name}`,
          unit: 'MB per second of the processor',
          budget: { of: ['shown'], atLeast: 20 },
          measure: () => figure('megabytesPerProcessorSecond'),
        },
        {
          name: `commands: ${name}, blocks for`,
          unit: 'ms',
          budget: { of: ['shown'], atMost: 50 },
          measure: () => figure('longestDelayMs'),
        },
        { name: `commands: ${name}, keeps`, unit: 'MB', measure: () => figure('grownMegabytes') },
      ];
    }),
    {
      name: 'commands: the first of a process, from the call to the output',
      unit: 'ms',
      budget: { of: ['first'], atMost: 150 },
      measure: async () => ({ ...(await measureFirstCommand()) }),
    },
    {
      name: 'commands: true, in the sandbox',
      unit: 'ms',
      budget: { of: ['more'], atMost: 30 },
      measure: async () => (await measureSandbox()) ?? NO_SANDBOX,
    },
    {
      name: 'commands: questions of a small task',
      unit: '',
      budget: { of: ['in the sandbox'], per: 'without', atMost: 0.2 },
      measure: async () => {
        if (!(await measureSandbox())) return NO_SANDBOX;
        const [without, confined] = [await measureTask(false), await measureTask(true)];
        return { without: without.questions, 'in the sandbox': confined.questions };
      },
    },
  ];
}

const NO_SANDBOX = 'there is no sandbox on this machine';

/** The panel in a browser, with 100 and with 10,000 entries. */
function panel(): readonly Measurement[] {
  const run = once(async () => [await measurePanel(100), await measurePanel(10_000)] as const);
  const rows: readonly [string, keyof PanelFigures, string, Budget?][] = [
    ['opens in', 'openMs', 'ms', { atMost: 500 }],
    ['opens in processor time', 'openCpuMs', 'ms'],
    ['heap', 'heapMb', 'MB', { atMost: 80 }],
    ['heap after use', 'heapAfterMb', 'MB'],
    ['elements', 'elements', '', { atMost: 1500 }],
    ['a key while an answer streams, p95', 'keyMs', 'ms', { atMost: 16 }],
    ['the same in an input alone', 'bareKeyMs', 'ms'],
    ['a key until it is painted, p95', 'keyPaintedMs', 'ms'],
    ['the same in an input alone, painted', 'bareKeyPaintedMs', 'ms'],
    ['thread while an answer streams', 'streamingCpu', '% of a processor'],
    ['messages in a second', 'postsPerSecond', '', { atMost: 60 }],
    ['frames of scrolling without entries', 'bareFrames', '', { atMost: 0 }],
  ];
  return [
    {
      name: 'panel: loads before it shows anything, compressed',
      unit: 'kB',
      budget: { atMost: 250 },
      measure: firstPaintSize,
    },
    ...rows.map(([name, key, unit, budget]) => ({
      name: `panel: ${name}`,
      unit,
      ...(budget && { budget }),
      measure: async () => {
        const [few, many] = await run();
        return { '100': few[key], '10,000': many[key] };
      },
    })),
  ];
}

/** VS Code with Gantry, as a user sees it. */
function windows(): readonly Measurement[] {
  const messages = once(measureMessages);
  const diffs = once(measureDiff);
  return [
    {
      name: 'window: activation',
      unit: 'ms',
      budget: { of: ['median'], atMost: 30 },
      measure: async () => ({ ...(await measureActivation()) }),
    },
    { name: 'window: Enter to the request', unit: 'ms', measure: async () => ({ ...(await messages()).request }) },
    {
      name: 'window: Enter to the first painted word',
      unit: 'ms',
      measure: async () => ({ ...(await messages()).painted }),
    },
    // VS Code's own part of it differs by machine and is most of it, so the ratio decides. The figures beside it are
    // milliseconds: on a quiet machine, at most 400 for the first call of a window and 150 for a later one.
    {
      name: 'window: the first call to its diff',
      unit: 'ms',
      budget: { of: ['Gantry'], per: 'VS Code', atMost: 1.5 },
      measure: async () => ({ Gantry: (await diffs()).Gantry.first, 'VS Code': (await diffs())['VS Code'].first }),
    },
    {
      name: 'window: a later call to its diff',
      unit: 'ms',
      budget: { of: ['Gantry'], per: 'VS Code', atMost: 1.3 },
      measure: async () => ({ Gantry: (await diffs()).Gantry.later, 'VS Code': (await diffs())['VS Code'].later }),
    },
    {
      name: 'window: @ to the first list of files',
      unit: 'ms',
      budget: { atMost: 150 },
      measure: measureFirstMentions,
    },
    {
      name: 'window: memory of the extension host after 100 turns',
      unit: 'MB',
      measure: measureHostMemory,
    },
  ];
}
