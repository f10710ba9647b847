import type { Tier } from '../../policy/policy-types.ts';
import { readRules } from '../../policy/rules/read-rules.ts';
import { toDiagnostic } from '../diagnostics.ts';
import type { LanguageSupport } from '../language.ts';
import { policyCompletions } from './policy-completion.ts';
import { formatPolicy } from './policy-format.ts';
import { policyHover } from './policy-hover.ts';
import { policyLenses } from './policy-lenses.ts';
import { policyNames } from './policy-names.ts';
import { policyFolding, policyOutline } from './policy-outline.ts';
import { policyTokens } from './policy-tokens.ts';

/** Policy files: `policies/*.toml`. */
export function policyLanguage(tier: Tier): LanguageSupport {
  return {
    problems: ({ text, path }) =>
      readRules(text, path, tier).problems.map((problem) => toDiagnostic({ ...problem, text: problem.reason })),
    names: policyNames,
    completions: (file, offset, workspace) => policyCompletions(file, offset, tier, workspace),
    lenses: (file, workspace) => policyLenses(file, tier, workspace),
    outline: policyOutline,
    folding: policyFolding,
    format: formatPolicy,
    tokens: policyTokens,
    hover: (file, offset, workspace) => policyHover(file, offset, tier, workspace),
  };
}
