import * as l10n from '@vscode/l10n';
import type { SwitchAnswer, SwitchQuestion } from '../../model/calls/model-call.ts';
import type { ModelChoice } from '../../protocol/agent/approval.ts';
import { modelChoiceButtons } from '../../protocol/agent/decisions.ts';
import type { ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';

/** Google's page about rate limits and how to raise them. */
const QUOTA_PAGE = 'https://ai.google.dev/gemini-api/docs/rate-limits';

/** Asks the user what to do about a model that does not answer. Any surface may answer the question. */
export async function askAboutModel(
  broker: Pick<ConfirmationBroker, 'ask'>,
  { failed, other, problem, isQuota, upgradePage }: SwitchQuestion,
  signal: AbortSignal,
): Promise<SwitchAnswer> {
  const link = linkFor(isQuota, upgradePage);
  const modelChoice: ModelChoice = { failed, ...(other !== undefined && { other }), ...(link && { link }) };
  const decisions = modelChoiceButtons(modelChoice).map(({ decision }) => decision);
  const { action, content } = await broker.ask(
    {
      title: problem.title,
      message: messageOf(modelChoice),
      schema: { type: 'object', properties: { decision: { type: 'string', enum: decisions } }, required: ['decision'] },
      modelChoice,
    },
    signal,
  );
  const decision = decisions.find((offered) => action === 'accept' && offered === content['decision']);
  return decision ?? 'stop';
}

function linkFor(isQuota: boolean, upgradePage: string | undefined): ModelChoice['link'] {
  if (upgradePage !== undefined) return { label: l10n.t('Upgrade'), url: upgradePage };
  return isQuota ? { label: l10n.t('Quotas and plans'), url: QUOTA_PAGE } : undefined;
}

function messageOf({ failed, other }: ModelChoice): string {
  if (other === undefined) return l10n.t('Everything so far is kept. Ask {0} again, or stop here.', failed);
  return l10n.t(
    'Everything so far is kept. Ask {0} again, continue with {1} in this session, or stop here.',
    failed,
    other,
  );
}
