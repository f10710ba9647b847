import type { Tier } from '../../policy/policy-types.ts';
import { readRules } from '../../policy/rules/read-rules.ts';
import { toDiagnostic } from '../diagnostics.ts';
import type { LanguageSupport } from '../language.ts';
import { policyNames } from './policy-names.ts';

/** Policy files: `policies/*.toml`. */
export function policyLanguage(tier: Tier): LanguageSupport {
  return {
    problems: ({ text, path }) =>
      readRules(text, path, tier).problems.map((problem) => toDiagnostic({ ...problem, text: problem.reason })),
    names: policyNames,
  };
}
