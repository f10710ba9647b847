import type { AgentEvent } from '../../protocol/agent/agent-event.ts';

/** The text of the plan that the user last approved, as they left it. `counts` tells whether its call was not rewound. */
export function approvedPlan(events: readonly AgentEvent[], counts: (callId: string) => boolean): string | undefined {
  const approved = events.findLast(
    (event) => event.type === 'tool_response' && event.data?.['approvedPlan'] !== undefined && counts(event.requestId),
  );
  if (approved?.type !== 'tool_response') return undefined;
  const asked = events.findLast(
    (event) => event.type === 'elicitation_request' && event._meta?.callId === approved.requestId,
  );
  if (asked?.type !== 'elicitation_request') return undefined;
  const details = asked._meta?.approval?.details;
  return editIn(events, asked.requestId) ?? (details?.type === 'plan' ? details.text : undefined);
}

/** What the answer made of it; one without words changes nothing. */
function editIn(events: readonly AgentEvent[], requestId: string): string | undefined {
  const answer = events.findLast((event) => event.type === 'elicitation_response' && event.requestId === requestId);
  const plan = answer?.type === 'elicitation_response' ? answer.content['plan'] : undefined;
  return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}
