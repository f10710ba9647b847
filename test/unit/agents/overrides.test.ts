import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AgentOverride, Config, coreEvents, SimpleExtensionLoader } from '@google/gemini-cli-core';
import { AgentRegistry } from '@google/gemini-cli-core/dist/src/agents/registry.js';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AgentCatalog } from '../../../extension/agents/agent-catalog.ts';
import type { LocalAgent } from '../../../extension/agents/agent-definition.ts';
import { AgentSettings } from '../../../extension/agents/agent-settings.ts';
import { readGenerationConfig } from '../../../extension/model/catalog/generation-settings.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const DEFINITION =
  '---\nname: scout\ndescription: Looks\ntools: [read_file, glob]\ntemperature: 0.5\nmax_turns: 4\ntimeout_mins: 3\n---\nLook.\n';

// Each configuration of theirs listens for as long as the process lives.
coreEvents.setMaxListeners(100);

/** Overrides, one of each kind of thing that Gemini CLI takes. */
const OVERRIDES: readonly Record<string, AgentOverride>[] = [
  {},
  { scout: {} },
  { scout: { enabled: false } },
  { scout: { enabled: true }, nobody: { enabled: false } },
  { generalist: { enabled: false }, codebase_investigator: { enabled: false } },
  { scout: { runConfig: { maxTurns: 9 } } },
  { scout: { runConfig: { maxTimeMinutes: 0.5 } } },
  { generalist: { runConfig: { maxTurns: 2, maxTimeMinutes: 1 } } },
  { scout: { modelConfig: { model: 'gemini-2.5-flash' } } },
  { scout: { modelConfig: { model: 'inherit' } } },
  { scout: { modelConfig: { generateContentConfig: { temperature: 0.1, topK: 3 } } } },
  { scout: { modelConfig: { generateContentConfig: { topP: 0.5, thinkingConfig: { thinkingBudget: 5 } } } } },
  { scout: { enabled: true, runConfig: { maxTurns: 1 }, modelConfig: { model: 'x', generateContentConfig: {} } } },
];

describe('What settings of Gemini CLI say of agents', () => {
  let folder: TempFolder;
  let trusted: boolean;
  const home = () => join(folder.path, 'home');
  const project = () => join(folder.path, 'project');
  const system = () => join(folder.path, 'system.json');
  const settings = (where: string) => join(where, '.gemini', 'settings.json');
  const write = async (file: string, value: unknown): Promise<void> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const override = (file: string, overrides: unknown) => write(file, { agents: { overrides } });
  const open = async (): Promise<AgentCatalog> => {
    const workspace = { roots: () => [project()], isTrusted: () => trusted };
    const environment = { GEMINI_CLI_HOME: home(), GEMINI_CLI_SYSTEM_SETTINGS_PATH: system() };
    const catalog = new AgentCatalog({
      workspace,
      home: home(),
      acceptedFile: undefined,
      settings: new AgentSettings({ workspace, environment, home: home(), readGeneration: readGenerationConfig }),
    });
    await catalog.refresh();
    return catalog;
  };
  const scoutOf = (catalog: AgentCatalog): LocalAgent => {
    const scout = local(catalog, 'scout');
    assert.ok(scout);
    return scout;
  };

  beforeEach(async () => {
    folder = await tempFolder('overrides');
    trusted = true;
    await mkdir(project());
    await write(join(home(), '.gemini', 'agents', 'scout.md'), DEFINITION);
  });
  afterEach(() => folder.dispose());

  for (const overrides of OVERRIDES) {
    it(`is taken as Gemini CLI takes it: ${JSON.stringify(overrides)}`, async () => {
      await override(settings(home()), overrides);
      const catalog = await open();
      assert.deepEqual(catalog.problems, []);
      assert.deepEqual(catalog.localAgents().map(ours), await theirs(home(), project(), overrides));
    });
  }

  it('replaces the tools of an agent where the user says so', async () => {
    await override(settings(home()), { scout: { tools: ['run_shell_command'] } });
    assert.deepEqual(scoutOf(await open()).tools, ['run_shell_command']);
  });

  it('leaves of an agent’s own servers what Gemini CLI loses with any override', async () => {
    const withServer = DEFINITION.replace('temperature', 'mcp_servers: { docs: { command: docs } }\ntemperature');
    await write(join(home(), '.gemini', 'agents', 'scout.md'), withServer);
    await override(settings(home()), { scout: { runConfig: { maxTurns: 2 } } });
    assert.deepEqual(scoutOf(await open()).mcpServers, { docs: { command: 'docs' } });
  });

  it('can in a folder only take away, and choose the model', async () => {
    const wide = { runConfig: { maxTurns: 99, maxTimeMinutes: 99 }, tools: ['glob', 'write_file'] };
    await override(settings(project()), { scout: { ...wide, modelConfig: { model: 'cheap' } } });
    const { maxTurns, timeoutMins, tools, within, model } = scoutOf(await open());
    assert.deepEqual(
      { maxTurns, timeoutMins, tools, within, model },
      { maxTurns: 4, timeoutMins: 3, tools: ['read_file', 'glob'], within: [['glob', 'write_file']], model: 'cheap' },
    );
    await override(settings(project()), { scout: { runConfig: { maxTurns: 2 } } });
    assert.equal(scoutOf(await open()).maxTurns, 2);
  });

  it('is not read from a folder that is not trusted, nor from what it only links to', async () => {
    await override(settings(project()), { scout: { enabled: false } });
    trusted = false;
    assert.ok((await open()).agent('scout'));
    trusted = true;
    assert.equal((await open()).agent('scout'), undefined);
    const other = await tempFolder('linked');
    await override(join(other.path, 'elsewhere.json'), { scout: { enabled: false } });
    await folder.dispose();
    folder = await tempFolder('overrides');
    await write(join(home(), '.gemini', 'agents', 'scout.md'), DEFINITION);
    await mkdir(join(project(), '.gemini'), { recursive: true });
    await symlink(join(other.path, 'elsewhere.json'), settings(project()));
    assert.ok((await open()).agent('scout'));
    await other.dispose();
  });

  it('switches off for good, whoever says so, and says where', async () => {
    await override(settings(home()), { scout: { enabled: false }, generalist: { enabled: true } });
    await override(settings(project()), { scout: { enabled: true } });
    await override(system(), { scout: { enabled: true }, generalist: { enabled: false } });
    const catalog = await open();
    assert.deepEqual(
      catalog.agents().map(({ name }) => name),
      ['codebase_investigator'],
    );
    assert.deepEqual(
      catalog.listed().flatMap(({ definition: { name }, unusable }) => (unusable ? [[name, unusable]] : [])),
      [
        ['generalist', { reason: 'off', text: `It is turned off in ${system()}.`, file: system() }],
        ['scout', { reason: 'off', text: `It is turned off in ${settings(home())}.`, file: settings(home()) }],
      ],
    );
  });

  it('counts most from the system, then from the folder, then from the user', async () => {
    const model = (name: string) => ({ scout: { modelConfig: { model: name } } });
    await override(settings(home()), model('of-user'));
    assert.equal(scoutOf(await open()).model, 'of-user');
    await override(settings(project()), model('of-folder'));
    assert.equal(scoutOf(await open()).model, 'of-folder');
    await override(system(), model('of-system'));
    assert.equal(scoutOf(await open()).model, 'of-system');
  });

  it('is seen when it changes', async () => {
    const catalog = await open();
    let changes = 0;
    catalog.onDidChange(() => changes++);
    await override(settings(home()), { scout: { enabled: false } });
    await catalog.refresh();
    assert.deepEqual([changes, catalog.agent('scout')], [1, undefined]);
  });

  it('is named with its place where it cannot be used, and the rest counts', async () => {
    const text = `{ "agents": { "overrides": {
      "scout": {
        "enabled": "no",
        "runConfig": { "maxTurns": -1, "maxTimeMinutes": 2 },
        "tools": ["read_file", "reed_file"],
        "colour": "red"
      },
      "generalist": {
        "modelConfig": {
          "model": 7,
          "generateContentConfig": { "temperature": 9, "topK": 4, "httpOptions": {} }
        },
        "tools": "all",
        "mcpServers": {}
      },
      "codebase_investigator": 3
    } } }`;
    await write(settings(home()), text);
    const catalog = await open();
    assert.deepEqual(
      catalog.problems.map(
        ({ line, text: told }) => `${line} ${told.replace(/(ignored): .*(>=|<=|expected).*/, '$1: …')}`,
      ),
      [
        '6 agents.overrides.scout.colour was ignored: is unknown',
        '3 The value must be true or false. The agent is off.',
        '4 agents.overrides.scout.runConfig.maxTurns was ignored: …',
        '5 agents.overrides.scout.tools.1 was ignored: there is no such tool',
        "14 agents.overrides.generalist.mcpServers was ignored: an agent's servers are read only from its definition",
        '10 agents.overrides.generalist.modelConfig.model was ignored: …',
        '11 agents.overrides.generalist.modelConfig.generateContentConfig: temperature was ignored: …',
        '11 agents.overrides.generalist.modelConfig.generateContentConfig: httpOptions was ignored: is unknown',
        '13 The value must be a list. The agent has no tools.',
        '16 agents.overrides.codebase_investigator was ignored: is not an object',
      ],
    );
    assert.equal(catalog.agent('scout'), undefined);
    assert.deepEqual(local(catalog, 'generalist')?.generation, { topK: 4 });
    assert.deepEqual(local(catalog, 'generalist')?.tools, []);
    assert.equal(local(catalog, 'codebase_investigator')?.maxTurns, 50);
  });
});

/** What an agent comes to, in what both have. What ships answers with the main model here, and there with one of its own. */
function local(catalog: AgentCatalog, agent: string): LocalAgent | undefined {
  return catalog.localAgents().find(({ name }) => name === agent);
}

function ours({ name, maxTurns, timeoutMins, model, temperature, generation = {} }: LocalAgent): unknown {
  if (name !== 'scout') return { name, maxTurns, timeoutMins };
  return { name, maxTurns, timeoutMins, model, config: { temperature, topP: 0.95, ...generation } };
}

/** The same of Gemini CLI's registry, without the agent that explains Gemini CLI. */
async function theirs(home: string, project: string, overrides: Record<string, AgentOverride>): Promise<unknown> {
  const before = process.env['GEMINI_CLI_HOME'];
  process.env['GEMINI_CLI_HOME'] = home;
  try {
    const config = new Config({
      sessionId: 'differential',
      targetDir: project,
      cwd: project,
      debugMode: false,
      model: 'gemini-2.5-pro',
      enableAgents: true,
      folderTrust: false,
      extensionLoader: new SimpleExtensionLoader([]),
      agents: { overrides },
    });
    const registry = new AgentRegistry(config);
    await registry.initialize();
    return registry.getAllDefinitions().flatMap((agent) => {
      if (agent.kind !== 'local' || agent.name === 'cli_help') return [];
      const { name, modelConfig } = agent;
      const { maxTurns, maxTimeMinutes: timeoutMins } = agent.runConfig;
      if (name !== 'scout') return { name, maxTurns, timeoutMins };
      return { name, maxTurns, timeoutMins, model: modelConfig.model, config: modelConfig.generateContentConfig };
    });
  } finally {
    if (before === undefined) delete process.env['GEMINI_CLI_HOME'];
    else process.env['GEMINI_CLI_HOME'] = before;
  }
}
