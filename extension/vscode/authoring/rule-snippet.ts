import * as l10n from '@vscode/l10n';
import { stringify } from 'smol-toml';
import type { Decision } from '../../policy/policy-types.ts';
import { SHELL_TOOL } from '../../policy/rules/known-tools.ts';
import type { RuleSubject } from '../../policy/rules/saved-rules.ts';
import { choice, literal, place } from './new-file-kinds.ts';

const EXAMPLE: RuleSubject = { toolName: SHELL_TOOL, commandPrefix: 'npm test' };

/** A rule with places to fill in, the decision first. */
export function ruleSnippet(decisions: readonly Decision[], subject: RuleSubject = EXAMPLE): string {
  const about = Object.entries(subject).map(([key, value], index) => {
    const text = stringify({ [key]: value }).trim();
    return `${literal(text.slice(0, text.indexOf('=') + 2))}${place(index + 3, text.slice(text.indexOf('=') + 2))}`;
  });
  const lines = ['[[rule]]', ...about, `decision = "${choice(1, decisions)}"`, `priority = ${place(2, '100')}`, '$0'];
  return lines.join('\n');
}

/** What a new file with rules begins with, as comments. */
export function rulesHeader(scope: 'user' | 'workspace'): string {
  const lines =
    scope === 'user'
      ? [l10n.t('Your own rules for what Gantry runs, asks about and refuses. They apply in every folder.')]
      : [
          l10n.t(
            "This folder's rules for what Gantry runs, asks about and refuses. What they allow requires approval.",
          ),
        ];
  return literal([...lines, l10n.t('They take effect when you save this file.')].map((line) => `# ${line}\n`).join(''));
}
