import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { once } from '../base/once.ts';
import type { GeminiSettings } from '../gemini-config/gemini-settings.ts';
import type { Host } from '../ports/host.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { AcpArguments, ServeArguments } from './arguments.ts';
import { checkPolicies, requireModel, requireSandbox, requireTelemetry } from './checks.ts';
import { createHeadlessHost, type HeadlessHostOptions } from './headless-host.ts';
import { loadRuntime } from './later-bundles.ts';
import type { RunSurroundings } from './run.ts';

/** The runtime for a set of folders that clients work in. */
export interface ServedFolder {
  readonly service: AgentService;
  readonly host: Host;
  /** Rejects with a `ProblemError` if no session can be opened, for example because no model is configured. */
  check(): Promise<void>;
}

type ClientArguments = Omit<AcpArguments | ServeArguments, 'kind'>;
type Surroundings = Pick<RunSurroundings, 'cwd' | 'environment' | 'assets' | 'note'>;

/** The first folder is the working directory. */
export async function openFolder(
  args: ClientArguments,
  surroundings: Surroundings,
  [workspace = '', ...furtherFolders]: readonly string[],
  shownIn: string,
): Promise<ServedFolder> {
  const { createAgentService, readGeminiSettings } = await loadRuntime();
  const { environment, note } = surroundings;
  let geminiSettings: GeminiSettings | undefined;
  const host = hostFor(args, surroundings, {
    workspace,
    furtherFolders,
    shownIn,
    geminiSettings: () => geminiSettings,
  });
  geminiSettings = await readGeminiSettings({
    workspace: host.workspace,
    environment,
    home: homedir(),
    report: note,
  });
  const service = createAgentService(host);
  const policies = once(async () => {
    for (const line of await checkPolicies(service, host.settings.policyPaths())) note(line);
  });
  return {
    service,
    host,
    check: async () => {
      await requireModel(host);
      await requireSandbox(args, service);
      requireTelemetry(host);
      await policies();
    },
  };
}

export function hostFor(
  args: ClientArguments,
  { cwd, environment, assets, note }: Surroundings,
  folders: Pick<HeadlessHostOptions, 'workspace' | 'furtherFolders' | 'shownIn' | 'geminiSettings'>,
): Host {
  const { model, fallback, maxTurns, approvalMode, sandbox, sandboxNetwork, otlp, trust, policies } = args;
  return createHeadlessHost({
    ...{ model, fallback, maxTurns, approvalMode, sandbox, sandboxNetwork, otlp },
    ...folders,
    trusted: trust,
    policies: policies.map((path) => resolve(cwd, path)),
    environment,
    assets,
    writeLog: note,
    // Clients may ask anything while files are read.
    ownsProcess: false,
  });
}
