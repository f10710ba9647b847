import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { extensionLabel } from '../../ports/extension-folder.ts';
import type { Circumstances, Decision, PolicyRule, RuleSource, Tier, Verdict } from '../policy-types.ts';

/** Names of the tiers in the interface. */
const TIER_NAMES: Readonly<Record<Tier, string>> = {
  default: 'shipped',
  extension: 'extension',
  workspace: 'workspace',
  user: 'user',
  admin: 'administrator',
};

/** Plural names for the calls of a tool. Calls of other tools are named by the tool. */
const SUBJECTS: Readonly<Record<string, string>> = {
  replace: 'Edits',
  write_file: 'Edits',
  rename_symbol: 'Renames',
  run_shell_command: 'Commands',
  web_fetch: 'Web requests',
  google_web_search: 'Web searches',
};

/** What happens, which rule decides, and where the rule is. */
export function whyByRule(tool: string, { decision, source }: Pick<PolicyRule, 'decision' | 'source'>): string {
  return `${happens(tool, decision)}. ${rulePlace(source)}.`;
}

/** The text of a refusal for people. */
export function shownRefusal(tool: string, { source }: Pick<PolicyRule, 'source'>): string {
  return `${shownWords(tool, 'deny')}. ${rulePlace(source)}.`;
}

export function whyByDefault(tool: string, { mode, interactive }: Circumstances): string {
  if (mode === 'yolo')
    return l10n.t('{0}: no rule matches, and this mode runs everything else.', happens(tool, 'allow'));
  if (interactive) return l10n.t('{0}: no rule matches.', happens(tool, 'ask_user'));
  return `${happens(tool, 'deny')}: no rule matches, and nobody can be asked. --policy takes a file with one.`;
}

/** For example "Rule write.toml:4 (shipped)". */
export function rulePlace(source: RuleSource): string {
  const { file, line, label } = source;
  if (file === undefined) return label;
  return `Rule ${basename(file)}${line === undefined ? '' : `:${line}`} (${whoseRule(source)})`;
}

/** For example "user" or "extension x". */
export function whoseRule({ tier, extension }: Pick<RuleSource, 'tier' | 'extension'>): string {
  return extension === undefined ? TIER_NAMES[tier] : extensionLabel(extension);
}

function happens(tool: string, decision: Decision): string {
  if (decision !== 'deny') return shownWords(tool, decision);
  const subject = SUBJECTS[tool];
  return subject === undefined ? `"${tool}" is refused` : `${subject} are refused`;
}

/** The localized text for people. The model gets refusals too, so `happens` words them in English. */
function shownWords(tool: string, decision: Decision): string {
  switch (tool) {
    case 'replace':
    case 'write_file':
      return {
        ask_user: l10n.t('Edits require approval'),
        allow: l10n.t('Edits run'),
        deny: l10n.t('Edits are refused'),
      }[decision];
    case 'rename_symbol':
      return {
        ask_user: l10n.t('Renames require approval'),
        allow: l10n.t('Renames run'),
        deny: l10n.t('Renames are refused'),
      }[decision];
    case 'run_shell_command':
      return {
        ask_user: l10n.t('Commands require approval'),
        allow: l10n.t('Commands run'),
        deny: l10n.t('Commands are refused'),
      }[decision];
    case 'web_fetch':
      return {
        ask_user: l10n.t('Web requests require approval'),
        allow: l10n.t('Web requests run'),
        deny: l10n.t('Web requests are refused'),
      }[decision];
    case 'google_web_search':
      return {
        ask_user: l10n.t('Web searches require approval'),
        allow: l10n.t('Web searches run'),
        deny: l10n.t('Web searches are refused'),
      }[decision];
    default:
      return {
        ask_user: l10n.t('"{0}" requires approval', tool),
        allow: l10n.t('"{0}" runs', tool),
        deny: l10n.t('"{0}" is refused', tool),
      }[decision];
  }
}

/** The same verdict for a command that runs as it was rewritten. The reason has the text if it is another one. */
export function runsAnew<Allowed extends Pick<Verdict, 'why'>>(
  allowed: Allowed,
  runs: string,
  command: string,
): Allowed & { readonly runs: string } {
  if (runs === command.trim()) return { ...allowed, runs };
  return { ...allowed, why: `${allowed.why} ${l10n.t('It runs as it was judged: `{0}`.', runs)}`, runs };
}
