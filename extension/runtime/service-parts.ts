import { homedir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { AgentCatalog } from '../agents/agent-catalog.ts';
import type { LocalAgent } from '../agents/agent-definition.ts';
import { AgentSettings } from '../agents/agent-settings.ts';
import { Emitter } from '../base/emitter.ts';
import { once } from '../base/once.ts';
import { CommandLibrary } from '../commands/command-library.ts';
import { MemoryFiles } from '../context/memory/memory-files.ts';
import { requireHome } from '../gemini-config/home-folders.ts';
import { geminiHome } from '../gemini-config/settings-files.ts';
import { SettingsReader } from '../gemini-config/settings-reader.ts';
import { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import { HookCatalog } from '../hooks/hook-catalog.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { ServerCatalog } from '../mcp/server-catalog.ts';
import { ModelAvailability } from '../model/calls/model-availability.ts';
import { ModelCalls, pauseOf } from '../model/calls/model-calls.ts';
import type { ModelOverride } from '../model/catalog/config-layers.ts';
import { readGenerationConfig } from '../model/catalog/generation-settings.ts';
import { ModelSource } from '../model/model-source.ts';
import { AuditLog } from '../policy/audit/audit-log.ts';
import { PolicyStore } from '../policy/rules/policy-store.ts';
import { loadShellParser } from '../policy/shell/parse-shell.ts';
import { createShellJudge } from '../policy/shell/shell-judge.ts';
import type { ShellParser } from '../policy/shell/shell-types.ts';
import { realAlarm } from '../ports/clock.ts';
import type { ExtensionFolder, ExtensionsInUse } from '../ports/extension-folder.ts';
import type { Host } from '../ports/host.ts';
import { filesShown } from '../processes/git-names.ts';
import { ProgramVersions } from '../processes/program-version.ts';
import { commandEnvironment } from '../processes/shell/clean-environment.ts';
import { createShell } from '../processes/shell/create-shell.ts';
import { findShellProgram } from '../processes/shell/shell-program.ts';
import { createSyntaxCheck } from '../processes/shell/syntax-check.ts';
import { loadXterm } from '../processes/shell/terminal-text.ts';
import { googleTokens } from '../remote-agents/google-tokens.ts';
import { RemoteAgents } from '../remote-agents/remote-agents.ts';
import { NO_SANDBOX, Sandbox } from '../sandbox/sandbox.ts';
import { FileSessionService } from '../sessions/file-session-service.ts';
import type { SharedState } from '../sessions/shared-state.ts';
import { SkillLibrary } from '../skills/skill-library.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import type { ToolsOf } from '../tools/product-tools.ts';
import { FirstCommand } from './commands/first-command.ts';
import { createRouting } from './model/create-routing.ts';
import { childEnvironment, createMcpServers, hookConfinement } from './programs/project-programs.ts';
import { ProtectedWatch } from './protected/protected-watch.ts';
import { loadNamingKey } from './request/naming-key.ts';
import { FilteredGenerator, SessionSecrets } from './request/session-secrets.ts';
import type { SharedParts } from './session-parts.ts';

/** One for the process, because what it loads stays loaded. */
const firstCommand = new FirstCommand();

/**
 * Builds the parts that all sessions share. Throws a `ProblemError` if a project's settings would count as the user's.
 */
export function createSharedParts(host: Host, tools: ToolsOf, state: SharedState): SharedParts {
  requireHome(host.environment, homedir());
  const shellParser = once(() => loadShellParser(host.assets));
  const namingKey = once(() => loadNamingKey(inHome(host, 'secret-names.key'), host.log));
  const { workspace, environment } = host;
  const report = (note: string): void => host.log.warn(note);
  const geminiSettings = new SettingsReader({ workspace, environment, home: homedir(), report });
  const catalog = new ExtensionCatalog({ workspace: host.workspace, environment: host.environment });
  const extensions: ExtensionsInUse = (view) => catalog.current(view);
  const agents = createAgents(host, extensions);
  const sandbox = createSandbox(host);
  const shell = once(() => createShell(host.assets, () => childEnvironment(host)));
  const asking = createModels(
    host,
    namingKey,
    () => modelOverridesOf(agents.localAgents()),
    () =>
      firstCommand.prepare({
        isTrusted: () => workspace.isTrusted(),
        parts: [() => sandbox.wanted(), shellParser, async () => shell(), loadXterm],
      }),
  );
  const mcp = createMcp(host, sandbox, extensions, geminiSettings);
  const telemetry = new Telemetry(host, version);
  telemetry.followServers(mcp);
  return {
    host,
    tools,
    ...asking,
    namingKey,
    adkSessions: new FileSessionService(state),
    audit: createAudit(host, () => asking.models.secrets()),
    policies: createPolicies(host, sandbox, shellParser, () => catalog.enabled()),
    extensions: catalog,
    geminiSettings,
    rulesRead: new Emitter(),
    hooks: new HookCatalog({
      workspace: host.workspace,
      environment: host.environment,
      home: homedir(),
      trustFile: inHome(host, 'trusted-hooks.json'),
      extensions,
    }),
    agents,
    remoteAgents: createRemoteAgents(host, sandbox, agents),
    mcp,
    memory: new MemoryFiles({
      home: homedir(),
      geminiHome: geminiHome(host.environment, homedir()),
      fileNames: () => host.settings.contextFileNames?.() ?? [],
      extensions,
    }),
    commands: new CommandLibrary({
      workspace: host.workspace,
      geminiHome: geminiHome(host.environment, homedir()),
      extensions,
    }),
    skills: new SkillLibrary({
      workspace: host.workspace,
      geminiHome: geminiHome(host.environment, homedir()),
      acceptedFile: inHome(host, 'accepted-skills.json'),
      extensions,
    }),
    shellParser,
    shell: { start: (command, options) => shell().start(command, options) },
    sandbox,
    protectedWatch: createProtectedWatch(host, sandbox),
    telemetry,
    versions: new ProgramVersions(() => host.clock.now()),
  };
}

function createProtectedWatch({ workspace, sessions, files, log }: Host, { protectedFiles }: Sandbox): ProtectedWatch {
  const own = sessions.folder === undefined ? [] : [join(sessions.folder, '..')];
  return new ProtectedWatch({
    roots: () => workspace.roots(),
    own: () => own,
    onDidSave: files.onDidSave,
    protectedFiles,
    log,
  });
}

function createSandbox(host: Host): Sandbox {
  const { environment, settings, sessions } = host;
  return new Sandbox({
    environment: () => environment,
    settings: () => settings.sandbox?.() ?? NO_SANDBOX,
    // These folders stay secret wherever the user has put them.
    secrets: () => [
      geminiHome(environment, homedir()),
      ...(sessions.folder === undefined ? [] : [join(sessions.folder, '..')]),
    ],
  });
}

function createModels(
  host: Host,
  namingKey: () => Promise<Uint8Array>,
  ofAgents: () => readonly ModelOverride[],
  onAsking: () => void,
): Pick<SharedParts, 'models' | 'health' | 'routing' | 'modelCalls'> {
  const { clock, settings } = host;
  // A second check, which also covers requests outside of conversations.
  const secrets = new SessionSecrets({ host, namingKey, history: () => [] });
  const models = new ModelSource(host, (generator) => new FilteredGenerator(generator, secrets));
  const health = new ModelAvailability(() => clock.now());
  const routing = createRouting(host, health, ofAgents);
  const modelCalls = new ModelCalls({
    configs: routing.configs,
    models,
    health,
    now: () => clock.now(),
    pause: pauseOf(host),
    random: () => clock.random?.() ?? Math.random(),
    maxAttempts: () => settings.maxAttempts(),
    onAsking,
  });
  return { models, health, routing, modelCalls };
}

function createAgents(host: Host, extensions: ExtensionsInUse): AgentCatalog {
  const { workspace, environment } = host;
  const home = homedir();
  return new AgentCatalog({
    workspace,
    home: geminiHome(environment, home),
    acceptedFile: inHome(host, 'accepted-agents.json'),
    extensions,
    settings: new AgentSettings({ workspace, environment, home, readGeneration: readGenerationConfig }),
  });
}

function createRemoteAgents(host: Host, sandbox: Sandbox, catalog: AgentCatalog): RemoteAgents {
  const { environment, clock, workspace, secrets } = host;
  return new RemoteAgents({
    catalog,
    logins: secrets.mcpLogins,
    acceptedFile: inHome(host, 'accepted-cards.json'),
    googleToken: googleTokens(environment, clock),
    alarm: (ms, ring) => (clock.alarm ?? realAlarm)(ms, ring),
    placesOf: ({ source }) => {
      const ofCommands = commandEnvironment(childEnvironment(host));
      const confine = hookConfinement(host, sandbox);
      return {
        // A definition of a project reads what a command could read anyway, and never our keys.
        environment: source === 'user' ? environment : ofCommands,
        commandEnvironment: ofCommands,
        folder: workspace.roots()[0] ?? homedir(),
        ...(source === 'project' && { confine: () => confine(undefined) }),
      };
    },
  });
}

function createPolicies(
  host: Host,
  sandbox: Sandbox,
  shellParser: () => Promise<ShellParser>,
  extensions: () => readonly ExtensionFolder[],
): PolicyStore {
  const { assets, environment, workspace, settings } = host;
  const judge = once(async () =>
    createShellJudge(await shellParser(), {
      home: homedir(),
      runsBash: runsBash(),
      named: sandbox.named,
      shown: (folder, args) => filesShown({ folder, args, environment: childEnvironment(host) }),
      acceptsSyntax: createSyntaxCheck({ environment: () => childEnvironment(host) }),
    }),
  );
  return new PolicyStore({
    assets,
    home: geminiHome(environment, homedir()),
    acceptedFile: inHome(host, 'accepted-policies.json'),
    roots: () => workspace.roots(),
    isTrusted: () => workspace.isTrusted(),
    extraPaths: () => settings.policyPaths(),
    extensions,
    judgeShell: async (...call) => (await judge())(...call),
  });
}

function createMcp(
  host: Host,
  sandbox: Sandbox,
  extensions: ExtensionsInUse,
  geminiSettings: SettingsReader,
): McpServers {
  const { workspace, environment, settings } = host;
  const catalog = new ServerCatalog({
    workspace,
    environment,
    home: homedir(),
    acceptedFile: inHome(host, 'accepted-mcp-servers.json'),
    setting: () => settings.mcpServers?.(),
    userFiles: () => settings.mcpFiles?.() ?? [],
    extensions,
  });
  const isOff = (name: string): boolean =>
    geminiSettings.restrictions.noServers !== undefined || (host.mcp?.isDisabled(name) ?? false);
  return createMcpServers(host, sandbox, catalog, isOff);
}

/** Commands of other shells must not be parsed with the grammar of bash. */
function runsBash(): boolean {
  return findShellProgram()?.file.endsWith('/bash') ?? false;
}

function createAudit(host: Host, secrets: () => Promise<readonly string[]>): AuditLog {
  return new AuditLog({
    file: inHome(host, 'audit.jsonl'),
    log: host.log,
    clock: host.clock,
    secrets,
  });
}

/** A path next to the sessions; undefined if nothing is stored. */
function inHome({ sessions: { folder } }: Host, name: string): string | undefined {
  return folder === undefined ? undefined : join(folder, '..', name);
}

/** Model overrides from the settings of agents, such as the amount of thinking. */
function modelOverridesOf(agents: readonly LocalAgent[]): ModelOverride[] {
  return agents.flatMap((agent) => {
    const { name, generation } = agent;
    if (!generation) return [];
    const override = OVERRIDES.get(agent) ?? {
      match: { overrideScope: name },
      modelConfig: { generateContentConfig: generation },
    };
    OVERRIDES.set(agent, override);
    return override;
  });
}

/** A cache: as long as the overrides are the same objects, models need not be resolved again. */
const OVERRIDES = new WeakMap<LocalAgent, ModelOverride>();

/** The shared parts as a session sees them that decides for itself whether somebody can be asked. */
export function withInteractive(shared: SharedParts, interactive: boolean | undefined): SharedParts {
  const { host } = shared;
  if (interactive === undefined || interactive === host.sessions.interactive) return shared;
  return { ...shared, host: { ...host, sessions: { ...host.sessions, interactive } } };
}
