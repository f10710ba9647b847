import type { AgentSession } from '../protocol/agent/agent-session.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { badInput } from './problem-of.ts';

/** The stored session that `--resume` names. Rejects with a `ProblemError` when it cannot continue here. */
export async function resumeSession(service: AgentService, wanted: string, workspace: string): Promise<AgentSession> {
  const id = await findSession(service, wanted, workspace);
  const session = await service.resumeSession(id);
  const holder = service.holderOf(id);
  if (holder === undefined) return session;
  throw new ProblemError({
    kind: 'session-locked',
    title: `This session is open in ${holder}`,
    detail: 'Nothing was sent. Continue there, or close it there and run this again.',
    actions: [],
  });
}

/** Found before it is opened: opening locks a session, and closes a run of it that was cut off. */
async function findSession({ library }: AgentService, wanted: string, workspace: string): Promise<string> {
  if (wanted === 'latest') {
    const latest = await library?.latest(workspace);
    if (latest !== undefined) return latest;
    throw badInput('There is no session to resume', `No conversation was stored for ${workspace} yet.`);
  }
  const found = (await library?.list())?.find(({ id }) => id === wanted);
  if (!found)
    throw badInput(`There is no session ${wanted}`, 'Use --list-sessions to list the sessions of this folder.');
  if (found.workspace === workspace || found.problem !== undefined) return wanted;
  const detail = `It belongs to ${found.workspace || 'no folder'}, not to ${workspace}. Name its folder with --workspace DIR.`;
  throw badInput('That session belongs to another folder', detail);
}
