import type { RemoteAgent } from '../../agents/agent-definition.ts';
import type { RemoteAgents } from '../../remote-agents/remote-agents.ts';
import { remoteFailureText } from '../../remote-agents/remote-failure.ts';
import { taskEndOf } from '../../remote-agents/run-task.ts';
import { TaskProgress } from '../../remote-agents/task-progress.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import type { AgentOutcome } from './run-agent.ts';

/** Somebody waits for the session to open. */
const LONGEST_MS = 10_000;

/** What became of a task that outlived the process, by the records of its session. The agent there is asked. */
export async function taskOutcome(
  records: readonly SessionRecord[],
  agent: RemoteAgent,
  remote: Pick<RemoteAgents, 'again'>,
): Promise<AgentOutcome> {
  const begun = records.findLast((record) => record.type === 'remote_task');
  if (!begun)
    return unfinished('Gantry was closed before the agent named its task. It may have begun, and was not asked again');
  const { taskId } = begun;
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const progress = new TaskProgress();
    progress.take(await (await remote.again(agent, signal)).look(taskId, signal));
    if (progress.isOver) return taskEndOf(progress);
    const state = progress.state === 'input-required' ? 'it waits for an answer' : 'it is still working';
    return unfinished(`Gantry was closed while it worked, and ${state} on its task ${taskId}`);
  } catch (error) {
    return unfinished(
      `Gantry was closed while it worked on its task ${taskId}, and it cannot be asked. ${remoteFailureText(error)}`,
    );
  }
}

function unfinished(why: string): AgentOutcome {
  return { kind: 'unfinished', why };
}
