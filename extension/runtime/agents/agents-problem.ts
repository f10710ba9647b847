import * as l10n from '@vscode/l10n';
import type { AgentProblem } from '../../agents/agent-definition.ts';
import type { Problem } from '../../protocol/problem.ts';

/** Definitions that are not used, and why. */
export function agentsProblem(problems: readonly AgentProblem[]): Problem {
  return {
    kind: 'bad-configuration',
    title: titleOf(problems),
    detail: problems.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n'),
    actions: problems.some(({ waits }) => waits) ? ['review-agents'] : ['show-log'],
  };
}

function titleOf(problems: readonly AgentProblem[]): string {
  const count = problems.filter(({ ofSettings }) => !ofSettings).length;
  if (count === 0) return l10n.t('Some settings of agents are not used');
  return count === 1 ? l10n.t('An agent is not used') : l10n.t('{0} agents are not used', count);
}
