import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Position } from 'vscode-languageserver-protocol/node';
import {
  CompletionRequest,
  DidChangeTextDocumentNotification,
  HoverRequest,
} from 'vscode-languageserver-protocol/node';
import { once } from '../../extension/base/once.ts';
import { readRules } from '../../extension/policy/rules/read-rules.ts';
import { serverProgram } from '../../extension/vscode/language/server-program.ts';
import { distDir } from '../support/dist.ts';
import { LspClient } from '../support/language-server/lsp-client.ts';
import { repoRoot } from '../support/repo.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import type { Figures, Measurement } from './measurement.ts';
import { median, milliseconds, percentile } from './statistics.ts';

const KEYSTROKES = 200;
/** The first ones are slower, because nothing is compiled yet. */
const WARM_UP = 50;
/** Reading the whole file takes as long as many keystrokes. */
const READ_EVERY = 10;
const STARTS = 7;
const OPEN_FILES = 50;
const asInVsCode = serverProgram(distDir, {});
const POLICY = 'home/.gemini/policies/mine.toml';

/** What it takes until somebody who writes a policy sees what is wrong with it. */
export function languageServerRows(): readonly Measurement[] {
  const few = once(() => measureKeystrokes(200));
  const many = once(() => measureKeystrokes(2000));
  return [
    {
      name: 'language server: a keystroke in 2,000 rules, to its problems',
      unit: 'ms',
      budget: { of: ['keystroke'], per: 'reading all', atMost: 0.2 },
      measure: async () => ({ keystroke: median((await many()).times), 'reading all': (await many()).whole }),
    },
    {
      name: 'language server: the same, p95',
      unit: 'ms',
      budget: { atMost: 50 },
      measure: async () => ({ keystroke: percentile((await many()).times, 95) }),
    },
    {
      name: 'language server: a keystroke at 2,000 rules, against 200',
      unit: 'ms',
      budget: { of: ['2,000'], per: '200', atMost: 2 },
      measure: async () => ({ '200': median((await few()).times), '2,000': median((await many()).times) }),
    },
    {
      name: 'language server: completion and hover at 2,000 rules, p95',
      unit: 'ms',
      budget: { atMost: 30 },
      measure: async () => {
        const { completions, hovers } = await many();
        return { completion: percentile(completions, 95), hover: percentile(hovers, 95) };
      },
    },
    {
      name: 'language server: from its start to the problems of 2,000 rules',
      unit: 'ms',
      budget: { of: ['server'], per: 'only reading', atMost: 1.5 },
      measure: measureStart,
    },
    {
      name: `language server: memory with ${OPEN_FILES} files open`,
      unit: 'MB',
      budget: { of: ['server'], per: 'bare', atMost: 1.5 },
      measure: measureMemoryOfServer,
    },
    {
      name: 'language server: the longest answer while 100,000 rules are read',
      unit: 'ms',
      budget: { atMost: 1000 },
      measure: measureHuge,
    },
  ];
}

interface Keystrokes {
  readonly times: readonly number[];
  readonly completions: readonly number[];
  readonly hovers: readonly number[];
  /** Reading the same file as a whole, in between. */
  readonly whole: number;
}

async function measureKeystrokes(rules: number): Promise<Keystrokes> {
  return withServer(async (client, folder) => {
    const text = policyText(rules);
    const uri = await client.open(join(folder.path, POLICY), text);
    await client.problems(uri);
    const [times, completions, hovers, wholes] = [[], [], [], []] as [number[], number[], number[], number[]];
    for (let count = 0; count < WARM_UP + KEYSTROKES; count++) {
      const position = { line: 6 * ((count * 7919) % rules) + 2, character: 20 };
      const time = await milliseconds(async () => {
        await typed(client, uri, count + 2, position);
        await client.problems(uri, count + 2);
      });
      const about = { textDocument: { uri }, position };
      const completion = await milliseconds(() => client.connection.sendRequest(CompletionRequest.type, about));
      const hover = await milliseconds(() => client.connection.sendRequest(HoverRequest.type, about));
      if (count % READ_EVERY === 0) wholes.push(await milliseconds(() => readRules(text, POLICY, 'user')));
      if (count < WARM_UP) continue;
      times.push(time);
      completions.push(completion);
      hovers.push(hover);
    }
    return { times, completions, hovers, whole: median(wholes) };
  });
}

function typed(client: LspClient, uri: string, version: number, position: Position): Promise<void> {
  const contentChanges = [{ range: { start: position, end: position }, text: 'x' }];
  return client.connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version },
    contentChanges,
  });
}

/** Node starts and reads the same file as the runtime does, and nothing else. */
async function measureStart(): Promise<Figures> {
  const folder = await tempFolder('bench-lsp');
  const text = policyText(2000);
  const [program, file] = [join(folder.path, 'read.cjs'), join(folder.path, 'mine.toml')];
  await writeFile(file, text);
  const source = `
    import { readFileSync } from 'node:fs';
    import { readRules } from './extension/policy/rules/read-rules.ts';
    readRules(readFileSync(process.argv[2], 'utf8'), process.argv[2], 'user');`;
  await bundle(source, program);
  const [servers, readers] = [[], []] as [number[], number[]];
  for (let round = 0; round <= STARTS; round++) {
    const server = await milliseconds(() =>
      withServer(async (client, place) => client.problems(await client.open(join(place.path, POLICY), text)), false),
    );
    const reader = await milliseconds(() => ended(program, file));
    // The first of each only warms the disk's cache.
    if (round > 0) servers.push(server);
    if (round > 0) readers.push(reader);
  }
  await folder.dispose();
  return { server: median(servers), 'only reading': median(readers) };
}

/** A server that knows the open documents, and nothing about them. */
const BARE_SERVER = `
  import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
  import { TextDocumentSyncKind, TextDocuments } from 'vscode-languageserver';
  import { TextDocument } from 'vscode-languageserver-textdocument';
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const textDocumentSync = { openClose: true, change: TextDocumentSyncKind.Incremental };
  connection.onInitialize(() => ({ capabilities: { textDocumentSync, hoverProvider: true } }));
  connection.onHover(() => null);
  documents.onDidChangeContent(({ document: { uri, version } }) => {
    connection.sendDiagnostics({ uri, version, diagnostics: [] });
  });
  documents.listen(connection);
  connection.listen();`;

async function measureMemoryOfServer(): Promise<Figures | string> {
  if (process.platform !== 'linux') return 'only Linux says how much memory another process has';
  const folder = await tempFolder('bench-lsp');
  const program = join(folder.path, 'bare.cjs');
  await bundle(BARE_SERVER, program);
  const figures = {
    server: await withServer(memoryWithOpenFiles),
    bare: await withServer(memoryWithOpenFiles, true, { ...asInVsCode, args: [program], environment: {} }),
  };
  await folder.dispose();
  return figures;
}

async function memoryWithOpenFiles(client: LspClient, folder: TempFolder): Promise<number> {
  for (let count = 0; count < OPEN_FILES; count++) {
    const uri = await client.open(join(folder.path, POLICY.replace('mine', `mine-${count}`)), policyText(20, count));
    await client.problems(uri);
    await client.connection.sendRequest(HoverRequest.type, {
      textDocument: { uri },
      position: { line: 1, character: 2 },
    });
  }
  const status = readFileSync(`/proc/${client.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
}

/** Asks about a short file while a huge one is read. */
async function measureHuge(): Promise<Figures> {
  return withServer(async (client, folder) => {
    const short = await client.open(join(folder.path, POLICY), policyText(20));
    await client.problems(short);
    const huge = await client.open(join(folder.path, POLICY.replace('mine', 'huge')), policyText(100_000));
    let isRead = false;
    const reading = client.problems(huge).then(() => {
      isRead = true;
    });
    let longest = 0;
    while (!isRead) {
      const about = { textDocument: { uri: short }, position: { line: 1, character: 2 } };
      const time = await milliseconds(() => client.connection.sendRequest(HoverRequest.type, about));
      longest = Math.max(longest, time);
    }
    await reading;
    return { longest };
  });
}

async function withServer<T>(
  work: (client: LspClient, folder: TempFolder) => Promise<T>,
  isStopped = true,
  program = asInVsCode,
): Promise<T> {
  const folder = await tempFolder('bench-lsp');
  const client = await LspClient.start({ root: folder.path, program });
  try {
    return await work(client, folder);
  } finally {
    if (isStopped) await client.stop();
    else client.process.kill();
    await folder.dispose();
  }
}

/** Most rules are about commands, and no two are alike. */
function policyText(rules: number, seed = 0): string {
  const rule = (index: number): string =>
    `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git log ${seed}-${index}"\ndecision = "deny"\npriority = ${index % 1000}\n`;
  return Array.from({ length: rules }, (_, index) => rule(index)).join('\n');
}

/** As the product is bundled. */
async function bundle(source: string, outfile: string): Promise<void> {
  const stdin = { contents: source, resolveDir: repoRoot, loader: 'ts' } as const;
  await build({ stdin, outfile, bundle: true, minify: true, platform: 'node', format: 'cjs', target: 'node20' });
}

function ended(program: string, ...args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit', env: {} });
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}
