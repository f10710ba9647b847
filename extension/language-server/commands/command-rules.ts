import { dirname, join } from 'node:path';
import { once } from '../../base/once.ts';
import type { Verdict } from '../../policy/policy-types.ts';
import { SHELL_TOOL } from '../../policy/rules/known-tools.ts';
import { PolicyStore } from '../../policy/rules/policy-store.ts';
import { loadShellParser } from '../../policy/shell/parse-shell.ts';
import { createShellJudge } from '../../policy/shell/shell-judge.ts';
import { extensionsInUse } from '../config-catalogs.ts';
import { Workspace } from '../workspace.ts';

/** Decides about a shell command as the rules are now, in the default mode and with somebody to ask. */
type Judge = (command: string) => Promise<Verdict>;

/**
 * The rules of all files. No program is started, neither Git nor the syntax check of a shell, so that a few lines require
 * approval only when the command is used. Undefined in Restricted Mode, and where the shipped rules are not known.
 */
export const commandRules = Workspace.once((workspace): Judge | undefined => {
  const { home, gantryHome, roots, policyPaths, shippedPolicies } = workspace.options;
  if (!workspace.isTrusted || shippedPolicies === undefined) return undefined;
  const assets = dirname(shippedPolicies);
  // Which files Git would show is found out only when the command is used, because it takes a program.
  const options = { home, runsBash: true, shown: () => Promise.resolve([]) };
  const shell = once(async () => createShellJudge(await loadShellParser(assets), options));
  const engine = once(async () => {
    const extensions = await extensionsInUse(workspace);
    const store = new PolicyStore({
      assets,
      home,
      acceptedFile: join(gantryHome, 'accepted-policies.json'),
      roots: () => roots,
      isTrusted: () => true,
      extraPaths: () => policyPaths,
      extensions: () => extensions,
      judgeShell: async (...call) => (await shell())(...call),
    });
    return store.engine();
  });
  const known = new Map<string, Promise<Verdict>>();
  return (command) => {
    const circumstances = { mode: 'default', interactive: true, trusted: true, roots, sessionRules: [] } as const;
    const verdict =
      known.get(command) ??
      engine().then((rules) => rules.decide({ name: SHELL_TOOL, args: { command } }, circumstances));
    known.set(command, verdict);
    return verdict;
  };
});
