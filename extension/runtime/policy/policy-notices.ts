import { News } from '../../base/news.ts';
import type { PolicyProblem } from '../../policy/rules/rule-set.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import { policyProblem, rulesWait } from '../problems/file-problems.ts';

/** Reports each problem of policy files once, no matter how often the files are read, until it is solved. */
export class PolicyNotices {
  private readonly news = new News(textOf);
  private latest: readonly PolicyProblem[] = [];

  constructor(private readonly tell: (problem: PolicyProblem) => void) {}

  take(problems: readonly PolicyProblem[]): void {
    // This is called after every call, and the rules have rarely been read again since.
    if (problems === this.latest) return;
    this.latest = problems;
    for (const problem of this.news.take(problems)) this.tell(problem);
  }
}

/** The problem for the user; undefined if it changes no decision and is only logged. */
export function noticeOf(problem: PolicyProblem): Problem | undefined {
  if (problem.kind === 'not_accepted') return rulesWait(textOf(problem));
  return problem.severity === 'error' ? policyProblem(textOf(problem)) : undefined;
}

/** The place of the problem and its explanation. */
export function textOf({ file, line, reason }: PolicyProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${reason}`;
}
