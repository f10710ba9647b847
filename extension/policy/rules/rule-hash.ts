import { createHash } from 'node:crypto';
import { onceEach } from '../../base/once.ts';
import { stableText } from '../../text/stable-text.ts';
import type { PolicyRule } from '../policy-types.ts';

/** Long enough that two rules of a person never share it. */
const HASH_CHARS = 16;

/**
 * The same for the same rule, wherever it is in its file: a hash of everything that decides which calls it is about and
 * what happens to them. A table in the file can become several rules, such as one for each `commandPrefix`, and each
 * has its own hash, so that the others keep theirs when one is added.
 */
export const ruleHash = onceEach((rule: PolicyRule): string => {
  const { toolName, mcpName, subagent, decision, priority, argsPattern, interactive, allowRedirection } = rule;
  const { toolAnnotations = null, modes = [] } = rule;
  const limits = [toolName, mcpName, subagent, interactive, allowRedirection].map((limit) => limit ?? null);
  const pattern = argsPattern ? `${argsPattern.flags}/${argsPattern.source}` : null;
  // Later versions may compute the same number in another way.
  const rank = priority.toFixed(3);
  const text = stableText([...limits, decision, rank, pattern, [...modes].sort(), toolAnnotations]);
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);
});
