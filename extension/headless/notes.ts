import type { AgentEndEvent, AgentEvent } from '../protocol/agent-event.ts';
import { problemText } from '../protocol/problem.ts';

/** The line an event puts on stderr, in every output format: what went wrong, or why the run stopped early. */
export function noteOf(event: AgentEvent): string | undefined {
  if (event.threadId !== undefined) return undefined;
  if (event.type === 'error') return event._meta?.problem ? problemText(event._meta.problem) : event.message;
  return event.type === 'agent_end' ? endNote(event) : undefined;
}

/** Problems speak of Retry, which is a button of the panel: this is what it is here. */
export function retryNote(events: readonly AgentEvent[], sessionId: string): string | undefined {
  const failed = events.some((event) => event.type === 'error' && event._meta?.problem?.actions.includes('retry'));
  const kept = !events.some((event) => event.type === 'error' && event._meta?.problem?.kind === 'not-saved');
  return failed && kept && sessionId !== '' ? `To retry: --resume ${sessionId}, without a prompt.` : undefined;
}

function endNote({ reason, data }: AgentEndEvent): string | undefined {
  switch (reason) {
    case 'completed':
    // The error event before it has said why.
    case 'failed':
      return undefined;
    case 'aborted':
      return 'Interrupted.';
    case 'max_turns': {
      const limit = typeof data?.['maxTurns'] === 'number' ? ` of ${data['maxTurns']}` : '';
      return `The turn limit${limit} was reached. Allow more with --max-turns N, or -1 for no limit.`;
    }
    case 'max_time':
      return 'The time limit was reached.';
    case 'max_budget':
      return 'The answer was cut off at its length limit.';
    case 'refusal':
      return 'The model refused to answer.';
    case 'elicitation':
      return 'The agent asked a question that nobody can answer here.';
  }
}
