import { basename } from 'node:path';
import type { PolicyRule, Tier } from '../policy/policy-types.ts';
import type { LoadedFile } from '../policy/rules/load-policies.ts';
import type { PolicyProblem } from '../policy/rules/rule-set.ts';

export const TIER_TITLES: Readonly<Record<Tier, string>> = {
  admin: 'The administrator of this machine',
  user: 'Yours',
  workspace: 'This folder',
  extension: 'Extensions',
  default: 'Shipped with Gantry',
};

/** How a policy file is doing, in a few words. */
export function fileState({ path, state, waiting }: LoadedFile, problems: readonly PolicyProblem[]): string {
  const mistakes = problems.filter(({ file, kind }) => file === path && kind !== 'not_accepted').length;
  const words = [
    ...(waiting.length > 0 ? [`$(shield) ${count(waiting.length, 'rule')} would allow more, after your yes`] : []),
    ...(mistakes > 0 ? [`${state === 'damaged' ? '$(error)' : '$(warning)'} ${count(mistakes, 'problem')}`] : []),
  ];
  return words.length === 0 ? '$(check) in force' : words.join(', ');
}

/** More would not fit in a dialog, and the file is open behind it. */
const MOST_RULES = 12;

/** What a yes to a file of this folder would allow, one line for each rule. */
export function acceptText({ path, waiting }: LoadedFile): string {
  const shown = waiting.slice(0, MOST_RULES).map((rule) => `• ${ruleText(rule)}`);
  const rest = waiting.length - shown.length;
  const more = rest > 0 ? [`• and ${count(rest, 'more rule')}`] : [];
  return [
    `${basename(path)} came with this folder. Without a question it would let run:`,
    ...shown,
    ...more,
    'A change of the file asks again.',
  ].join('\n');
}

function ruleText({ toolName, mcpName, argsPattern, modes, source: { line } }: PolicyRule): string {
  const tool = mcpName === undefined ? toolName : `${toolName} of ${mcpName}`;
  return [
    tool === '*' ? 'every tool' : tool,
    argsPattern === undefined ? ', whatever its arguments are' : ` with arguments like ${clipped(argsPattern.source)}`,
    modes === undefined ? '' : ` in ${modes.join(', ')}`,
    line === undefined ? '' : ` (line ${line})`,
  ].join('');
}

function clipped(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

export const RULES_TEMPLATE = `# Your own rules for what Gantry runs, asks about and refuses, in the format of Gemini CLI.
# They hold in every folder, and are stronger than those a folder brings along. Saving this file is enough.
#
# decision   "allow", "ask_user" or "deny"
# priority   0 to 999; of the rules about a call the one with the highest number decides

# Run the tests without a question:
# [[rule]]
# toolName = "run_shell_command"
# commandPrefix = "npm test"
# decision = "allow"
# priority = 100

# Never push:
# [[rule]]
# toolName = "run_shell_command"
# commandPrefix = "git push"
# decision = "deny"
# priority = 200
# denyMessage = "I push myself."
`;
