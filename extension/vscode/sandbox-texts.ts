import * as l10n from '@vscode/l10n';
import type { SandboxSupport } from '../sandbox/sandbox-support.ts';

const NAMES = { bubblewrap: 'bubblewrap', seatbelt: 'Seatbelt' } as const;

/** How commands are confined, for people; undefined stands for `gantry.sandbox.mode: off`. */
export function sandboxWords(support: SandboxSupport | undefined): string {
  if (support === undefined) return l10n.t('not confined, because "gantry.sandbox.mode" is "off"');
  if ('tool' in support) return l10n.t('confined by {0}', NAMES[support.tool.kind]);
  return l10n.t('not confined. {0}', support.missing);
}
