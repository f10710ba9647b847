import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { OpenedFolder } from '../acp/agent-methods.ts';
import { once } from '../base/once.ts';
import type { GeminiSettings } from '../gemini-config/gemini-settings.ts';
import type { Host } from '../ports/host.ts';
import type { AcpArguments } from './arguments.ts';
import { checkPolicies, requireModel, requireSandbox, requireTelemetry } from './checks.ts';
import { ExitCode } from './exit-code.ts';
import { createHeadlessHost, type HeadlessHostOptions } from './headless-host.ts';
import { loadAcp } from './load-acp.ts';
import { loadRuntime } from './load-runtime.ts';
import { noteOf } from './notes.ts';
import { problemLine } from './problem-lines.ts';
import type { RunSurroundings } from './run.ts';

export interface AcpCommandSurroundings extends RunSurroundings {
  readonly version: string;
  /** stdout, for the protocol alone. */
  readonly output: Writable;
}

/** Serves the editor that started this process, until it closes stdin. */
export async function runAcp(args: AcpArguments, surroundings: AcpCommandSurroundings): Promise<ExitCode> {
  const { version, stdin, output, cwd, note, interrupted } = surroundings;
  if (stdin.isTTY)
    note('Editors start this command, and speak the Agent Client Protocol with it on stdin. Ctrl+C ends it.');
  const { serveAcp } = await loadAcp();
  // Belongs to no session: lists what is stored, and knows the environment.
  const host = hostFor(args, surroundings, { workspace: cwd });
  const listing = once(async () => (await loadRuntime()).createAgentService(host));
  let isListing = false;
  try {
    await serveAcp({
      version,
      input: stdin,
      output,
      interrupted,
      log: host.log,
      openFolder: (roots, owner) => openFolder(args, surroundings, roots, owner),
      library: async () => {
        isListing = true;
        return (await listing()).library;
      },
      requireModel: () => requireModel(host),
      wording: { note: noteOf, problem: problemLine, show: note },
    });
  } finally {
    if (isListing) await (await listing()).dispose();
  }
  return interrupted.aborted ? ExitCode.interrupted : ExitCode.done;
}

/** The runtime for these folders, of which the first is the working directory. */
async function openFolder(
  args: AcpArguments,
  surroundings: AcpCommandSurroundings,
  [workspace = '', ...furtherFolders]: readonly string[],
  shownIn: string,
): Promise<OpenedFolder> {
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

function hostFor(
  args: AcpArguments,
  { cwd, environment, assets, note }: AcpCommandSurroundings,
  folders: Pick<HeadlessHostOptions, 'workspace' | 'furtherFolders' | 'shownIn' | 'geminiSettings'>,
): Host {
  const { trust, policies, ...settings } = args;
  return createHeadlessHost({
    ...settings,
    ...folders,
    trusted: trust,
    policies: policies.map((path) => resolve(cwd, path)),
    environment,
    assets,
    writeLog: note,
    // The client may ask anything while files are read.
    ownsProcess: false,
  });
}
