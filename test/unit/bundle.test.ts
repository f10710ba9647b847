import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { parametersOf } from '../../extension/tools/tool-parameters.ts';
import { allTools } from '../support/all-tools.ts';
import { distDir } from '../support/dist.ts';
import { call, stream } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { stdio } from '../support/mcp/stdio.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startA2aSite } from '../support/remote-agents/a2a-site.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';

const run = promisify(execFile);

describe('The bundles, with node_modules out of reach', () => {
  let endpoint: GeminiEndpoint;
  let folder: TempWorkspace;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    folder = await createTempWorkspace({ 'project/a.txt': 'alpha' });
    for (const name of ['headless.js', 'command-line.js', 'runtime.js', 'l10n.js', 'later', 'assets']) {
      await cp(join(distDir, name), join(folder.path, name), { recursive: true });
    }
  });
  afterEach(async () => {
    await folder.dispose();
    await endpoint.dispose();
  });

  it('load and run a turn with a tool', async () => {
    endpoint.reply(call('read_file', { file_path: 'a.txt' }));
    endpoint.reply(stream('It says ', 'alpha.'));
    const { stdout } = await run(process.execPath, ['headless.js', '-p', 'Read a.txt', '--workspace', 'project'], {
      cwd: folder.path,
      env: { GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: join(folder.path, 'home') },
    });
    assert.equal(stdout, 'It says alpha.\n');
    assert.match(JSON.stringify(endpoint.requests[1]?.toolResults), /alpha/);
    const compiled = await readdir(join(folder.path, 'home/cache'));
    assert.ok(
      compiled.some((name) => name.startsWith('runtime.js-')),
      'for the next start',
    );
  });

  it('declare the tools as their schemas do, without having made the schemas', async () => {
    endpoint.reply('Hello.');
    await run(process.execPath, ['headless.js', '-p', 'Hi', '--workspace', 'project', '--trust'], {
      cwd: folder.path,
      env: { GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: join(folder.path, 'home') },
    });
    const schemas = new Map(allTools().map(({ name, schema }) => [name, schema]));
    const { tools = [] } = endpoint.requests[0]?.body ?? {};
    const declared = tools.flatMap((tool) => tool.functionDeclarations ?? []);
    assert.ok(declared.length > 10);
    for (const { name = '', parametersJsonSchema } of declared) {
      const schema = schemas.get(name);
      assert.ok(schema, name);
      assert.deepEqual(parametersJsonSchema, JSON.parse(JSON.stringify(parametersOf(schema))), name);
    }
  });

  it('speak to a remote agent, which may send 16 MB at once', async () => {
    const content = { $case: 'raw', value: Buffer.alloc(5 * 1024 * 1024) } as const;
    const file = { content, metadata: undefined, filename: 'big.bin', mediaType: 'application/octet-stream' };
    const site = await startA2aSite((turn) => turn.begin().say('a', 'From far away.').make('b', [file]).end());
    const definition = `---\nkind: remote\nname: far\nagent_card_url: ${site.cardUrl}\n---\n`;
    await folder.write({ 'home/.gemini/agents/far.md': definition });
    endpoint.reply(call('invoke_agent', { agent_name: 'far', prompt: 'Look' }));
    endpoint.reply('Heard.');
    const args = ['headless.js', '-p', 'Ask', '--workspace', 'project', '--trust', '--approval-mode', 'yolo'];
    const home = join(folder.path, 'home');
    const { stdout } = await run(process.execPath, args, {
      cwd: folder.path,
      env: { GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: home, GEMINI_CLI_HOME: home },
    });
    await site.dispose();
    assert.equal(stdout, 'Heard.\n');
    assert.match(JSON.stringify(endpoint.requests[1]?.toolResults), /From far away\..*\[file: big\.bin/);
  });

  it('speak to an MCP server', async () => {
    const sample = stdio('good', { trust: true });
    await folder.write({ 'home/.gemini/settings.json': JSON.stringify({ mcpServers: { sample } }) });
    endpoint.reply(call('mcp_sample_echo', { text: 'from the server' }));
    endpoint.reply('Heard.');
    const args = ['headless.js', '-p', 'Echo', '--workspace', 'project', '--trust'];
    const home = join(folder.path, 'home');
    const { stdout } = await run(process.execPath, args, {
      cwd: folder.path,
      env: { GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: home, GEMINI_CLI_HOME: home },
    });
    assert.equal(stdout, 'Heard.\n');
    assert.match(JSON.stringify(endpoint.requests[1]?.toolResults), /from the server/);
  });

  it('send telemetry where a flag says, with the headers of the environment, which alone does nothing', async () => {
    const receiver = await startOtlpReceiver();
    try {
      const env = {
        GOOGLE_GEMINI_BASE_URL: endpoint.url,
        GANTRY_HOME: join(folder.path, 'home'),
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b',
        OTEL_SERVICE_NAME: 'another',
        OTEL_TRACES_SAMPLER: 'always_off',
      };
      const args = ['headless.js', '-p', 'Hi', '--workspace', 'project'];
      endpoint.reply('Hello.');
      await run(process.execPath, args, { cwd: folder.path, env });
      assert.equal(receiver.wire, '');
      endpoint.reply('Hello again.');
      const { stdout } = await run(process.execPath, [...args, '--otlp', receiver.url], {
        cwd: folder.path,
        env,
      });
      assert.equal(stdout, 'Hello again.\n');
      assert.deepEqual(receiver.spans.map(({ name }) => name).at(-1), 'invoke_agent gantry');
      assert.ok(receiver.metrics.length > 0);
      assert.ok(receiver.headers.every((headers) => headers['api-key'] === 'a b'));
      assert.equal(receiver.resources[0]?.['service.name'], 'gantry');
    } finally {
      await receiver.close();
    }
  });

  it('load the same files for a run as ever, and the one of telemetry only if it is on', async () => {
    const receiver = await startOtlpReceiver();
    try {
      const loadedBy = async (name: string, ...flags: readonly string[]): Promise<readonly string[]> => {
        endpoint.reply('Hello.');
        const home = join(folder.path, name);
        const args = ['headless.js', '-p', 'Hi', '--workspace', 'project', ...flags];
        const env = { GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: home };
        await run(process.execPath, args, { cwd: folder.path, env });
        // What is loaded is kept compiled, for the next start.
        return (await readdir(join(home, 'cache'))).map((file) => file.split('-')[0] ?? '').sort();
      };
      const off = await loadedBy('off');
      assert.ok(off.includes('runtime.js'));
      assert.deepEqual(await loadedBy('on', '--otlp', receiver.url), [...off, 'telemetry.js'].sort());
    } finally {
      await receiver.close();
    }
  });

  it('read what is written in YAML', async () => {
    await folder.write({
      'home/.gemini/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: >\n  Reads\n  PDFs\n---\nRead.\n',
    });
    endpoint.reply('Hello.');
    const home = join(folder.path, 'home');
    await run(process.execPath, ['headless.js', '-p', 'Hi', '--workspace', 'project', '--trust'], {
      cwd: folder.path,
      env: { GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: home, GEMINI_CLI_HOME: home },
    });
    assert.match(endpoint.requests[0]?.systemText ?? '', /- pdf: Reads PDFs/);
  });

  it('leave no package to be found at run time', async () => {
    const { stdout } = await run(process.execPath, ['-e', LISTS_LOADED], { cwd: folder.path });
    assert.deepEqual(JSON.parse(stdout), ['headless.js', 'l10n.js', 'runtime.js']);
  });
});

describe('The bundles that show texts', () => {
  it('share one place for translations', async () => {
    const names = [
      ...(await readdir(distDir)),
      ...(await readdir(join(distDir, 'later'))).map((name) => `later/${name}`),
    ];
    const scripts = names.filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(scripts.map((name) => readFile(join(distDir, name), 'utf8')));
    const own = scripts.filter((_, index) => texts[index]?.includes('/{([^}]+)}/g'));
    assert.deepEqual(own, ['l10n.js']);
  });
});

const LISTS_LOADED = `
  require('./runtime.js');
  process.argv[2] = '--version';
  const write = process.stdout.write;
  process.stdout.write = () => true;
  require('./headless.js');
  process.stdout.write = write;
  const loaded = Object.keys(require.cache).filter((path) => path.endsWith('.js'));
  process.stdout.write(JSON.stringify(loaded.map((path) => require('path').basename(path)).sort()));
`;
