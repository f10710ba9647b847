import * as l10n from '@vscode/l10n';
import type { Problem } from '../../protocol/agent/problem.ts';

export const runtimeMissing = (): Problem => ({
  kind: 'runtime-missing',
  title: l10n.t('The agent could not be started'),
  detail: l10n.t("Your text is back in the input. Reload the window. If that doesn't help, reinstall Gantry."),
  actions: ['show-log'],
});
