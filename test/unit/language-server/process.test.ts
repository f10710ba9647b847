import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readStartOptions } from '../../../extension/language-server/start-options.ts';
import { distDir } from '../../support/dist.ts';
import { hostileFiles } from '../../support/hostile-workspace.ts';
import { LspClient } from '../../support/language-server/lsp-client.ts';
import { eventually } from '../../support/poll.ts';
import { repoRoot } from '../../support/repo.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { isFullRun } from '../../support/test-size.ts';

/** A client in a process of its own, which starts the server and says which process that is. */
const CLIENT = `
const [, server, input] = process.argv;
const options = { stdio: [input, 'pipe', 'pipe'], detached: true, env: {} };
const child = require('node:child_process').spawn(process.execPath, [server, '--stdio'], options);
const params = { processId: process.pid, rootUri: null, capabilities: {} };
const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
const text = 'Content-Length: ' + message.length + '\\r\\n\\r\\n' + message;
if (input === 'pipe') child.stdin.write(text);
child.stdout.once('data', () => process.stdout.write(String(child.pid)));
process.stdout.write(input === 'pipe' ? '' : text);
`;

describe('The process of the language server', () => {
  /** Starts a client, which may share its own input with the server, and kills it. */
  const serverOfKilled = async (input: 'pipe' | 'inherit'): Promise<number> => {
    const client = spawn(process.execPath, ['-e', CLIENT, join(distDir, 'language-server.js'), input]);
    let said = '';
    client.stdout.on('data', (data) => {
      said += String(data);
      const isRequest = input === 'inherit' && said.startsWith('Content') && said.endsWith('}');
      if (isRequest) client.stdin.write(said);
    });
    const pid = await eventually('the server', () => Number(/(?:^|\})(\d+)$/.exec(said)?.[1]) || undefined);
    client.kill('SIGKILL');
    return pid;
  };
  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('ends when its client is killed', async () => {
    const pid = await serverOfKilled('pipe');
    await eventually('its end', () => !isRunning(pid), { timeoutMs: 5000 });
  });

  // It looks every three seconds.
  if (isFullRun) {
    it('ends when its client is killed, even if another process keeps its input open', async () => {
      const pid = await serverOfKilled('inherit');
      await eventually('its end', () => !isRunning(pid), { timeoutMs: 5000 });
    });
  }
});

describe('While the user types on', () => {
  it('completions for the beginning of the word still come, and what is about the old text does not', async () => {
    const place = await createTempWorkspace();
    const client = await LspClient.start({ root: place.path });
    const text = '[[rule]]\ntoolName = "web"\n';
    const uri = await client.open(join(place.path, '.gemini/policies/mine.toml'), text);
    const about = { textDocument: { uri }, position: { line: 1, character: 15 } };
    const completing = client.connection.sendRequest('textDocument/completion', about);
    const hovering = client.connection.sendRequest('textDocument/hover', about);
    const refused = assert.rejects(hovering, /changed/);
    await client.change(uri, text.replace('web', 'web_f'));
    assert.match(JSON.stringify(await completing), /web_fetch/);
    await refused;
    await client.stop();
    await place.dispose();
  });
});

describe('The start options of the language server', () => {
  it('are those of docs/language-server.md', () => {
    const page = readFileSync(join(repoRoot, 'docs/language-server.md'), 'utf8');
    const [, section = ''] = page.split('## Start options');
    const explained = [...section.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
    const initializationOptions = { language: 'de', texts: {}, shippedPolicies: '/rules', path: '/bin' };
    const read = readStartOptions({ processId: null, rootUri: null, capabilities: {}, initializationOptions });
    const { roots: _, can: __, ...options } = read;
    assert.deepEqual(explained.sort(), Object.keys(options).sort());
  });
});

/** Reports the paths that are given to functions for files, and whatever is written, started or connected to. */
const WATCH_FILES = `
const say = (text) => process.stderr.write(text + '\\n');
const watch = (module, names, what) => {
  for (const name of names) {
    const call = module[name];
    if (typeof call !== 'function') continue;
    module[name] = Object.assign(function (...given) {
      say('DOES ' + what + ' ' + name + ' ' + String(given[0]));
      return call.apply(this, given);
    }, call);
  }
};
watch(require('node:child_process'), ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'], 'start');
watch(require('node:net').Socket.prototype, ['connect'], 'connect');
watch(require('node:net').Server.prototype, ['listen'], 'listen');
watch(require('node:dns'), ['lookup', 'resolve'], 'ask');
const WRITES = /^(write|append|mkdir|mkdtemp|rm|unlink|rename|symlink|link|truncate|chmod|chown|copy|cp|utimes|createWrite)/;
for (const module of [require('node:fs'), require('node:fs/promises')]) {
  for (const [name, call] of Object.entries(module)) {
    if (typeof call !== 'function' || /^[A-Z_]/.test(name)) continue;
    module[name] = Object.assign(function (path, ...rest) {
      const text = path instanceof URL ? path.pathname : path;
      if (typeof text === 'string') say(name + ' ' + text);
      const isOpened = /^open/.test(name) && (/[wa+]/.test(String(rest[0])) || (typeof rest[0] === 'number' && rest[0] & 3));
      if (isOpened || WRITES.test(name)) say('DOES write ' + name + ' ' + text);
      return call.call(this, path, ...rest);
    }, call);
  }
}
require('node:module').syncBuiltinESMExports();
`;

describe('The language server', () => {
  let folder: TempWorkspace;
  beforeEach(async () => {
    folder = await createTempWorkspace({ ...hostileFiles('http://127.0.0.1:9'), 'watch.cjs': WATCH_FILES });
  });
  afterEach(() => folder.dispose());

  const whatItDoes = async (trusted: boolean): Promise<readonly string[]> => {
    const nodeArgs = ['--require', join(folder.path, 'watch.cjs')];
    const client = await LspClient.start({ root: folder.path, trusted, nodeArgs });
    const names = Object.keys(hostileFiles('http://127.0.0.1:9'));
    const known = names.filter((name) => /\.gemini\/|GEMINI\.md|AGENTS\.md|mcp\.json/.test(name));
    assert.ok(known.length > 3, 'there is something to look at');
    for (const name of known) {
      const uri = await client.open(join(folder.path, name), '[[rule]]\n@./b.txt\n');
      for (const request of ['hover', 'completion', 'definition', 'codeLens', 'documentLink']) {
        const about = { textDocument: { uri }, position: { line: 0, character: 3 } };
        await client.connection.sendRequest(`textDocument/${request}`, about);
      }
    }
    await client.stop();
    return client.errors.split('\n').filter((line) => !line.includes('watch.cjs'));
  };
  const lookedAt = (said: readonly string[]): readonly string[] => said.filter((line) => line.includes(folder.path));

  it('looks at no file but at what is open in Restricted Mode, and executes, sends and writes nothing anywhere', async () => {
    const [restricted, trusted] = [await whatItDoes(false), await whatItDoes(true)];
    assert.deepEqual(lookedAt(restricted), []);
    assert.notDeepEqual(lookedAt(trusted), [], 'in a trusted folder it does');
    assert.deepEqual(
      [...restricted, ...trusted].filter((line) => line.startsWith('DOES')),
      [],
    );
  });
});
