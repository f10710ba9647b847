import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repoRoot } from '../support/repo.ts';
import { circleIn, folderGraphText, graphsOf } from '../support/source/folder-graph.ts';
import { allImports, sources } from '../support/source/imports.ts';

/** The rooms of `extension/`, floor by floor: a file imports from its own room and from lower floors. */
const FLOORS: readonly (readonly string[])[] = [
  ['base'],
  ['files', 'protocol', 'safety'],
  ['text'],
  ['ports'],
  ['model', 'policy', 'processes'],
  ['gemini-config', 'tools'],
  ['agents', 'commands', 'context', 'gemini-extensions', 'hooks', 'mcp', 'sandbox', 'scheduler', 'sessions', 'skills'],
  ['remote-agents', 'telemetry'],
  ['runtime'],
  ['a2a', 'acp', 'language-server'],
  ['headless', 'vscode'],
];
const RUNTIME_ENTRY = 'extension/runtime/main.ts';

/** Which package may be loaded where. Types may be named anywhere. */
const PACKAGE_HOMES: Record<string, readonly string[]> = {
  vscode: ['extension/vscode'],
  '@google/adk': ['extension/runtime', 'extension/sessions'],
  '@google/genai': ['extension/model'],
  'google-auth-library': ['extension/model/auth'],
  yaml: ['extension/text'],
  '@modelcontextprotocol/sdk': ['extension/mcp'],
  '@a2a-js/sdk': ['extension/a2a', 'extension/remote-agents'],
  '@agentclientprotocol/sdk': ['extension/acp'],
  '@cfworker/json-schema': ['extension/mcp'],
  '@opentelemetry/api': ['extension/telemetry'],
  '@opentelemetry/otlp-transformer': ['extension/telemetry'],
  '@opentelemetry/resources': ['extension/telemetry'],
  '@opentelemetry/sdk-metrics': ['extension/telemetry'],
  '@opentelemetry/sdk-trace': ['extension/telemetry'],
  'cross-spawn': ['extension/processes'],
  'vscode-languageserver': ['extension/language-server'],
  'vscode-languageserver-textdocument': ['extension/language-server'],
  'vscode-languageserver-types': ['extension/language-server'],
  'vscode-languageclient': ['extension/vscode/language'],
  zod: [
    'extension/acp',
    'extension/agents',
    'extension/files',
    'extension/gemini-config',
    'extension/gemini-extensions',
    'extension/hooks',
    'extension/language-server',
    'extension/mcp',
    'extension/model',
    'extension/policy',
    'extension/tools',
    'extension/runtime',
    'extension/sandbox',
    'extension/sessions',
  ],
  'zod/mini': ['extension/protocol', 'webview'],
  lit: ['webview'],
  '@vscode/webview-ui-toolkit': ['webview'],
};

const EXPORTED = /^export (?:async )?(?:function\*?|const|(?:abstract )?class|interface|type|enum) (\w+)/gm;

const imports = allImports();
const graphs = graphsOf(imports);

/** Folders that once held a hundred files each: at their root is only what puts the rest together, or names it. */
const FEW_AT_THE_ROOT = ['extension/runtime', 'extension/vscode', 'extension/protocol'];

describe('The layers', () => {
  it('import downwards only', () => {
    const wrong = imports.filter(({ from, target }) => {
      const [here, there] = [roomOf(from), roomOf(target)];
      if (there === undefined || here === there || from === 'extension/main.ts') return false;
      if (here === 'webview') return there !== 'protocol' && there !== 'base';
      return floorOf(there) >= floorOf(here);
    });
    assert.deepEqual(wrong, []);
  });

  it('have no circles: neither folders nor files, types included', () => {
    const circles = [...graphs].flatMap(([folder, graph]) => {
      const circle = circleIn(graph);
      return circle ? [`${folder}: ${circle.join(' → ')}`] : [];
    });
    assert.deepEqual(circles, []);
  });

  it('are drawn in docs/architecture.md as they are: run "npm run docs" after a change', () => {
    const page = readFileSync(join(repoRoot, 'docs/architecture.md'), 'utf8').replaceAll('\r\n', '\n');
    assert.ok(page.includes(folderGraphText(imports)));
  });

  it('load each package only where it belongs', () => {
    const wrong = imports.filter(({ from, target, typeOnly }) => {
      const homes = PACKAGE_HOMES[packageOf(target)];
      return homes !== undefined && !typeOnly && !homes.some((home) => inFolder(from, home));
    });
    assert.deepEqual(wrong, []);
  });

  it('reach the runtime only through its bundle, on first use', () => {
    const surfaces = imports.filter(({ from }) => /^extension\/(a2a|acp|vscode|headless)\//.test(from));
    const intoRuntime = surfaces.filter(({ target }) => roomOf(target) === 'runtime');
    const wrong = intoRuntime.filter((use) => !use.typeOnly && !(use.dynamic && use.target === RUNTIME_ENTRY));
    assert.deepEqual(wrong, []);
    assert.equal(intoRuntime.filter((use) => use.dynamic).length, 2, 'one loader each in vscode/ and headless/');
  });

  it('load the servers for other programs on first use', () => {
    const others = imports.filter(({ from, target }) => {
      const room = roomOf(target);
      return (room === 'a2a' || room === 'acp') && roomOf(from) !== room;
    });
    assert.ok(others.length > 0);
    assert.deepEqual(
      others.filter(({ dynamic, typeOnly }) => !dynamic && !typeOnly),
      [],
    );
  });

  it('keep Node out of what the webview shares', () => {
    const wrong = imports.filter(
      ({ from, target }) => /^(extension\/(base|protocol)|webview)\//.test(from) && target.startsWith('node:'),
    );
    assert.deepEqual(wrong, []);
  });

  it('import the UI toolkit in one module', () => {
    const users = imports.filter(({ target }) => packageOf(target) === '@vscode/webview-ui-toolkit');
    assert.deepEqual([...new Set(users.map((use) => use.from))], ['webview/main.ts']);
  });
});

function linesOf(path: string): number {
  return readFileSync(join(repoRoot, path), 'utf8').trimEnd().split('\n').length;
}

describe('The source files', () => {
  it('stay small enough to hold in one head', () => {
    assert.deepEqual(
      sources.filter((path) => linesOf(path) > 450),
      [],
    );
  });

  it('are ideas, not slices of one', () => {
    const slices = sources.filter((path) => !path.endsWith('.d.ts') && linesOf(path) < 25);
    assert.ok(slices.length <= 60, `Put together what only makes sense together:\n${slices.join('\n')}`);
  });

  it('export each name from one file only', () => {
    const places = new Map<string, Set<string>>();
    for (const path of sources) {
      for (const [, name = ''] of codeOf(path).matchAll(EXPORTED))
        places.set(name, (places.get(name) ?? new Set()).add(path));
    }
    assert.deepEqual(
      [...places].filter(([, paths]) => paths.size > 1),
      [],
    );
  });

  it('make no formats for numbers and dates when they are loaded, because each takes longer than the rest of a module', () => {
    const wrong = sources.filter((path) => /^(?:export )?const .*= new Intl\./m.test(codeOf(path)));
    assert.deepEqual(wrong, []);
  });

  it('are in a folder by what they are about', () => {
    const crowded = FEW_AT_THE_ROOT.filter(
      (folder) => sources.filter((path) => path.slice(0, path.lastIndexOf('/')) === folder).length > 12,
    );
    assert.deepEqual(crowded, []);
  });

  it('are in a room each', () => {
    assert.deepEqual(
      sources.filter((path) => path !== 'extension/main.ts' && floorOf(roomOf(path)) < 0),
      [],
    );
  });

  it('start processes in one folder only', () => {
    const users = imports.filter(({ target }) => /^(node:)?(child_process|worker_threads|cluster)$/.test(target));
    assert.deepEqual(
      users.filter(({ from }) => !inFolder(from, 'extension/processes')),
      [],
    );
  });

  it('run no text as code, except our own bundle', () => {
    const wrong = sources.filter((path) => /\beval\s*\(|\bnew Function\b|'(?:node:)?vm'/.test(codeOf(path)));
    assert.deepEqual(wrong, ['extension/files/compiled-code.ts']);
  });

  it('open connections in five places: to the model, for its tokens, to MCP servers, to remote agents, and pinned to an address that was checked', () => {
    const network = /^(node:)?(http2?|https|net|tls|dgram|dns(\/promises)?)$/;
    const users = imports.filter(({ target, typeOnly }) => network.test(target) && !typeOnly).map(({ from }) => from);
    const places = [
      'extension/model/http/direct-http.ts',
      'extension/tools/web/pinned-fetch.ts',
      'extension/tools/web/pinned-socket.ts',
    ];
    // These only ask whether a text is an address, or give answers their names.
    const words = [
      'extension/tools/web/web-url.ts',
      'extension/tools/web/public-address.ts',
      'extension/sandbox/host-rules.ts',
    ];
    // Listen on this machine for a browser that comes back, for commands in the sandbox, which it connects by the pinned way, and for clients of A2A.
    const listening = [
      'extension/vscode/auth/callback.ts',
      'extension/sandbox/network-proxy.ts',
      'extension/a2a/http-server.ts',
    ];
    // Asks a server at 127.0.0.1 whether it is healthy.
    const asking = ['extension/headless/server-health.ts'];
    assert.deepEqual(
      users.filter((from) => ![...places, ...words, ...listening, ...asking].includes(from)),
      [],
    );
    const fetching = sources.filter((path) =>
      /(?<![.\w])(?:globalThis\.)?fetch\(|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b/.test(codeOf(path)),
    );
    // The fourth is given the pinned one, the fifth is it.
    assert.deepEqual(fetching.sort(), [
      'extension/mcp/limited-fetch.ts',
      'extension/model/auth/token-request.ts',
      'extension/model/http/send-http.ts',
      'extension/remote-agents/guarded-fetch.ts',
      'extension/tools/web/fetched-page.ts',
      'extension/tools/web/pinned-fetch.ts',
    ]);
  });

  it('write files of the workspace in one place', () => {
    // One opens files only to read them. The rest keeps what is Gantry's own: sessions, rules that were saved, hooks that were accepted, the audit, outputs, what a sandbox needs.
    const own = [
      'extension/model/recorded/record-file.ts',
      'extension/files/durable-files.ts',
      'extension/policy/rules/',
      'extension/processes/shell/plain-log.ts',
      'extension/policy/audit/audit-file.ts',
      'extension/runtime/request/saved-outputs.ts',
      'extension/runtime/request/naming-key.ts',
      'extension/sandbox/',
      'extension/sessions/files/blob-store.ts',
      'extension/sessions/store/',
      'extension/tools/conversation/plan-mode.ts',
    ];
    const writing =
      /\b(writeFile|appendFile|copyFile|rename|rm|rmdir|unlink|mkdir|mkdirSync|symlink|link|truncate|open|cp)\b/;
    const writers = sources.filter((path) =>
      [...codeOf(path).matchAll(/import \{([^}]*)\} from '(?:node:)?fs(?:\/promises)?'/g)].some(([, names = '']) =>
        writing.test(names),
      ),
    );
    assert.deepEqual(
      writers.filter(
        (path) => path !== 'extension/files/disk-calls.ts' && !own.some((place) => path.startsWith(place)),
      ),
      ['extension/sessions/files/disk-files.ts'],
    );
  });
});

function codeOf(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** The folder below `extension/`, or the webview as a whole. Undefined for a package. */
function roomOf(path: string): string | undefined {
  const [top, room = ''] = path.split('/');
  if (top === 'webview') return top;
  return top === 'extension' ? room : undefined;
}

/** Counted from below; the webview is beside the extension. */
function floorOf(room = ''): number {
  return room === 'webview' ? 0 : FLOORS.findIndex((rooms) => rooms.includes(room));
}

function packageOf(target: string): string {
  if (target === 'zod/mini') return target;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

function inFolder(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
