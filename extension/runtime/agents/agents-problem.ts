import * as l10n from '@vscode/l10n';
import type { AgentProblem } from '../../agents/agent-definition.ts';
import type { Problem } from '../../protocol/problem.ts';

/** Definitions that are not used, and why. */
export function agentsProblem(problems: readonly AgentProblem[]): Problem {
  return {
    kind: 'bad-configuration',
    title: problems.length === 1 ? l10n.t('An agent is not used') : l10n.t('{0} agents are not used', problems.length),
    detail: problems.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n'),
    actions: problems.some(({ waits }) => waits) ? ['review-agents'] : ['show-log'],
  };
}
