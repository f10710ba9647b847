import { ProblemError } from '../protocol/problem.ts';

export function noPrice(model: string): ProblemError {
  return new ProblemError({
    kind: 'bad-configuration',
    title: `The price of ${model} is not known`,
    detail: 'You set a limit for costs, so nothing was sent. Add the model to gantry.model.prices, or lift the limit.',
    actions: ['open-settings', 'retry'],
  });
}
