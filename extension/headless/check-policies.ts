import type { PolicyProblem } from '../policy/rules/rule-set.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { stepOf } from './problem-lines.ts';

/**
 * Reads the rules before anything is sent, and returns a line for each thing that is wrong with them. Rejects with a
 * `ProblemError` when one of the named files cannot be used at all: whoever names rules counts on them.
 */
export async function checkPolicies(
  { policies }: Pick<AgentService, 'policies'>,
  named: readonly string[],
): Promise<string[]> {
  await policies.files();
  const { problems } = policies;
  const unusable = problems.find(({ kind, file }) => kind === 'file_read' && named.includes(file));
  if (!unusable) return problems.map(lineOf);
  throw new ProblemError({
    kind: 'bad-configuration',
    title: `The policy ${unusable.file} cannot be used`,
    detail: `${unusable.reason} Nothing was sent.`,
    actions: [],
  });
}

function lineOf({ kind, file, line, reason }: PolicyProblem): string {
  const text = `${file}${line === undefined ? '' : `:${line}`}: ${reason}`;
  return kind === 'not_accepted' ? `${text} ${stepOf('open-policies')}` : text;
}
