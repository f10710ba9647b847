import type { Writable } from 'node:stream';
import { once } from '../base/once.ts';
import type { AcpArguments } from './arguments.ts';
import { requireModel } from './checks.ts';
import { ExitCode } from './exit-code.ts';
import { loadAcp, loadRuntime } from './later-bundles.ts';
import { noteOf } from './notes.ts';
import { hostFor, openFolder } from './open-folder.ts';
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
