import { dirname } from 'node:path';
import { once } from '../../base/once.ts';
import type { Verdict } from '../../policy/policy-types.ts';
import { SHELL_TOOL } from '../../policy/rules/known-tools.ts';
import { PolicyEngine } from '../../policy/rules/policy-engine.ts';
import { loadShellParser } from '../../policy/shell/parse-shell.ts';
import { createShellJudge } from '../../policy/shell/shell-judge.ts';
import { knownPolicies } from '../policy/rules-in-order.ts';
import { Workspace } from '../workspace.ts';

/** Decides about a shell command as the rules are now, in the default mode and with somebody to ask. */
type Judge = (command: string) => Promise<Verdict>;

/**
 * The rules of all files. No program is started, neither Git nor the syntax check of a shell, so that a few lines require
 * approval only when the command is used. Undefined in Restricted Mode, and where the shipped rules are not known.
 */
export const commandRules = Workspace.once((workspace): Judge | undefined => {
  const { home, roots, shippedPolicies } = workspace.options;
  if (!workspace.isTrusted || shippedPolicies === undefined) return undefined;
  // The grammar of the shell is beside the shipped rules, and takes as long to load as everything else.
  const shell = once(async () => {
    const parser = await loadShellParser(dirname(shippedPolicies));
    // Which files Git would show is found out only when the command is used, because it takes a program.
    return createShellJudge(parser, { home, runsBash: true, shown: () => Promise.resolve([]) });
  });
  const engine = once(async () => {
    const rules = await knownPolicies(workspace).inForce();
    return new PolicyEngine(rules, async (...call) => (await shell())(...call));
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
