import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';

/** What a setting can be, and the same as a part of a sentence. */
interface SettingValue {
  readonly schema: z.ZodType;
  readonly expected: string;
}

/** The values of the settings that Gantry applies and that no other reader checks, by key. */
export const settingValues = once((): ReadonlyMap<string, SettingValue> => {
  // Gemini CLI puts the values of variables into settings, and these are texts.
  const flag = {
    schema: z.union([z.boolean(), z.enum(['true', 'false'])]),
    expected: l10n.t('it must be true or false'),
  };
  const names = {
    schema: z.union([z.array(z.string()), z.string()]),
    expected: l10n.t('it must be a name or a list of names'),
  };
  const mode = z.enum(['default', 'auto_edit', 'plan']);
  return new Map<string, SettingValue>([
    [
      'general.defaultApprovalMode',
      { schema: mode, expected: l10n.t('it must be one of {0}', '"default", "auto_edit", "plan"') },
    ],
    ['model.name', { schema: z.string(), expected: l10n.t('it must be the name of a model') }],
    ['model.maxSessionTurns', { schema: z.int(), expected: l10n.t('it must be a whole number') }],
    ...FLAGS.map((key) => [key, flag] as const),
    ...NAMES.map((key) => [key, names] as const),
  ]);
});

const FLAGS = [
  'general.plan.enabled',
  'useWriteTodos',
  'security.disableYoloMode',
  'security.disableAlwaysAllow',
  'experimental.enableAgents',
  'skills.enabled',
  'admin.secureModeEnabled',
  'admin.mcp.enabled',
  'admin.skills.enabled',
];

const NAMES = [
  'context.fileName',
  'tools.core',
  'tools.allowed',
  'tools.confirmationRequired',
  'tools.exclude',
  'skills.disabled',
];
