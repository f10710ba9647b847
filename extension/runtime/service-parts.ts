import { homedir } from 'node:os';
import { join } from 'node:path';
import { HookCatalog } from '../hooks/hook-catalog.ts';
import { ModelSource } from '../model/model-source.ts';
import { geminiHome } from '../policy/gemini-home.ts';
import { PolicyStore } from '../policy/rules/policy-store.ts';
import { loadShellParser } from '../policy/shell/parse-shell.ts';
import { createShellJudge } from '../policy/shell/shell-judge.ts';
import type { ShellParser } from '../policy/shell/shell-types.ts';
import { createShell } from '../processes/shell/create-shell.ts';
import { findShellProgram } from '../processes/shell/shell-program.ts';
import { FileSessionService } from '../sessions/file-session-service.ts';
import type { SharedState } from '../sessions/shared-state.ts';
import type { ToolsOf } from '../tools/product-tools.ts';
import { AuditLog } from './audit-log.ts';
import { FilteredGenerator } from './filtered-generator.ts';
import type { Host } from './host.ts';
import { knownSecrets } from './known-secrets.ts';
import { loadNamingKey } from './naming-key.ts';
import type { SharedParts } from './session-parts.ts';
import { SessionSecrets } from './session-secrets.ts';

/** Builds what all sessions of a service share. */
export function createSharedParts(host: Host, tools: ToolsOf, state: SharedState, rulesRead: () => void): SharedParts {
  const shellParser = once(() => loadShellParser(host.assets));
  const namingKey = once(() => loadNamingKey(inHome(host, 'secret-names.key'), host.log));
  const secrets = new SessionSecrets({ host, namingKey, history: () => [] });
  return {
    host,
    tools,
    models: new ModelSource(host, (generator) => new FilteredGenerator(generator, secrets)),
    namingKey,
    adkSessions: new FileSessionService(state),
    audit: createAudit(host),
    policies: createPolicies(host, shellParser),
    rulesRead,
    hooks: new HookCatalog({
      workspace: host.workspace,
      environment: host.environment,
      home: homedir(),
      trustFile: inHome(host, 'trusted-hooks.json'),
    }),
    shellParser,
    shell: createShell(host.assets, host.environment),
  };
}

function createPolicies(host: Host, shellParser: () => Promise<ShellParser>): PolicyStore {
  const { assets, environment, workspace, settings } = host;
  const judge = once(async () => createShellJudge(await shellParser(), { home: homedir(), runsBash: runsBash() }));
  return new PolicyStore({
    assets,
    home: geminiHome(environment, homedir()),
    acceptedFile: inHome(host, 'accepted-policies.json'),
    roots: () => workspace.roots(),
    isTrusted: () => workspace.isTrusted(),
    extraPaths: () => settings.policyPaths(),
    judgeShell: async (...call) => (await judge())(...call),
  });
}

/** What is not bash is not read with its grammar. */
function runsBash(): boolean {
  return findShellProgram()?.file.endsWith('/bash') ?? false;
}

function createAudit(host: Host): AuditLog {
  return new AuditLog({
    file: inHome(host, 'audit.jsonl'),
    log: host.log,
    clock: host.clock,
    secrets: () => knownSecrets(host),
  });
}

/** Beside the sessions; nowhere when nothing is kept. */
function inHome({ sessions: { folder } }: Host, name: string): string | undefined {
  return folder === undefined ? undefined : join(folder, '..', name);
}

/** The same promise for everybody who asks, made when the first one does. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
