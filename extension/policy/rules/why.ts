import { basename } from 'node:path';
import type { Circumstances, Decision, PolicyRule, RuleSource, Tier } from '../policy-types.ts';

const TIER_NAMES: Readonly<Record<Tier, string>> = {
  default: 'shipped',
  extension: 'extension',
  workspace: 'workspace',
  user: 'user',
  admin: 'administrator',
};

const VERBS: Readonly<Record<Decision, string>> = { allow: 'runs', ask_user: 'asks first', deny: 'is refused' };

/** One sentence: which rule decided, and where it stands. */
export function whyByRule(tool: string, { decision, source }: Pick<PolicyRule, 'decision' | 'source'>): string {
  return `"${tool}" ${VERBS[decision]} by ${placeOf(source)}.`;
}

export function whyByDefault(tool: string, { mode, interactive }: Circumstances): string {
  if (mode === 'yolo') return `"${tool}" runs: no rule is about it, and in this mode everything else runs.`;
  if (interactive) return `"${tool}" asks first: no rule is about it.`;
  return `"${tool}" is refused: no rule is about it, and nobody is there to ask. --policy takes a file with one.`;
}

/** Such as "rule write.toml:4 (shipped)". */
export function placeOf({ file, line, tier, label }: RuleSource): string {
  if (file === undefined) return `"${label}"`;
  return `rule ${basename(file)}${line === undefined ? '' : `:${line}`} (${TIER_NAMES[tier]})`;
}
