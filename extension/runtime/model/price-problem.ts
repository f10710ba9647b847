import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/agent/problem.ts';

export function noPrice(model: string): ProblemError {
  return new ProblemError({
    kind: 'bad-configuration',
    title: l10n.t('The price of {0} is unknown', model),
    detail: l10n.t(
      'You set a cost limit, so nothing was sent. Add the model to gantry.model.prices, or remove the limit.',
    ),
    actions: ['open-settings', 'retry'],
  });
}
