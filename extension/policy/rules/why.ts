import { basename } from 'node:path';
import type { Circumstances, Decision, PolicyRule, RuleSource, Tier } from '../policy-types.ts';

/** For people. */
export const TIER_NAMES: Readonly<Record<Tier, string>> = {
  default: 'shipped',
  extension: 'extension',
  workspace: 'workspace',
  user: 'user',
  admin: 'administrator',
};

/** What people call the calls of a tool; all others go by their names. */
const SUBJECTS: Readonly<Record<string, string>> = {
  replace: 'Edits',
  write_file: 'Edits',
  rename_symbol: 'Renames',
  run_shell_command: 'Commands',
  web_fetch: 'Web requests',
  google_web_search: 'Web searches',
};

const VERBS: Readonly<Record<Decision, readonly [one: string, many: string]>> = {
  allow: ['runs', 'run'],
  ask_user: ['asks first', 'ask first'],
  deny: ['is refused', 'are refused'],
};

/** What happens, then which rule says so and where it stands. */
export function whyByRule(tool: string, { decision, source }: Pick<PolicyRule, 'decision' | 'source'>): string {
  return `${happens(tool, decision)}. ${placeOf(source)}.`;
}

export function whyByDefault(tool: string, { mode, interactive }: Circumstances): string {
  if (mode === 'yolo') return `${happens(tool, 'allow')}: no rule is about it, and in this mode everything else runs.`;
  if (interactive) return `${happens(tool, 'ask_user')}: no rule is about it.`;
  return `${happens(tool, 'deny')}: no rule is about it, and nobody is there to ask. --policy takes a file with one.`;
}

/** Such as "Rule write.toml:4 (shipped)". */
export function placeOf({ file, line, tier, label }: RuleSource): string {
  if (file === undefined) return label;
  return `Rule ${basename(file)}${line === undefined ? '' : `:${line}`} (${TIER_NAMES[tier]})`;
}

function happens(tool: string, decision: Decision): string {
  const [one, many] = VERBS[decision];
  const subject = SUBJECTS[tool];
  return subject === undefined ? `"${tool}" ${one}` : `${subject} ${many}`;
}
