import { resolve } from 'node:path';
import type { Circumstances, PolicyRule, Verdict } from '../../extension/policy/policy-types.ts';
import type { MatchedRule } from '../../extension/policy/rules/shell-judge.ts';
import { loadShellParser } from '../../extension/policy/shell/parse-shell.ts';
import { createShellJudge } from '../../extension/policy/shell/shell-judge.ts';
import type { ShellParser } from '../../extension/policy/shell/shell-types.ts';

export const HOME = '/home/u';
export const ROOT = '/work/app';

export function shellParser(): Promise<ShellParser> {
  return loadShellParser(resolve('out/assets'));
}

export function circumstances(change: Partial<Circumstances> = {}): Circumstances {
  return { mode: 'default', interactive: true, trusted: true, roots: [ROOT], sessionRules: [], ...change };
}

export function rule(decision: PolicyRule['decision'], change: Partial<PolicyRule> = {}): PolicyRule {
  return {
    toolName: 'run_shell_command',
    decision,
    priority: 4.1,
    source: { tier: 'user', label: 'User: my.toml' },
    ...change,
  };
}

const SHIPPED_ASK = rule('ask_user', { priority: 1.01, source: { tier: 'default', label: 'Default: write.toml' } });

/** Rules that are only prefixes of commands, followed by the shipped rule that asks. */
export function matchPrefixes(prefixes: readonly string[], change: Partial<PolicyRule> = {}) {
  return (command: string): Verdict => {
    const found = prefixes.find(
      (prefix) => command.startsWith(prefix) && /^(?:$|[\s"'])/.test(command.slice(prefix.length)),
    );
    if (found === undefined)
      return { decision: SHIPPED_ASK.decision, rule: SHIPPED_ASK, why: 'The shipped rule asks.' };
    return {
      decision: 'allow',
      rule: rule('allow', { argsPattern: new RegExp(found.replace(/\W/g, '\\$&')), ...change }),
      why: `A rule allows ${found}.`,
    };
  };
}

/** The decision about a command line with these rules. */
export async function judge(
  parser: ShellParser,
  command: string,
  match: (command: string) => Verdict & MatchedRule,
  change: Partial<Circumstances> = {},
): Promise<Verdict> {
  return createShellJudge(parser, { home: HOME, runsBash: true })(
    command,
    match(command),
    match,
    circumstances(change),
    { path: ROOT, root: ROOT },
  );
}
