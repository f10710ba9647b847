import type { LocalAgent } from '../agents/agent-definition.ts';
import type { SessionHeader } from '../sessions/session-record.ts';
import { agentServers } from './agents/agent-servers.ts';
import { Subagent } from './agents/subagent.ts';
import { newHeader } from './library/new-header.ts';
import type { LiveSession } from './live-session.ts';
import type { SessionPlan, SharedParts } from './session-parts.ts';

export interface AgentPlan {
  readonly header: SessionHeader;
  readonly plan: SessionPlan & { readonly subagent: Subagent };
}

/** The session of an agent that is to work for a call of another one. */
export function planAgent(shared: SharedParts, leader: LiveSession, definition: LocalAgent, callId: string): AgentPlan {
  const { id: sessionId, workspace } = leader.journal.header;
  const subagent = new Subagent(
    definition,
    (leader.subagent?.depth ?? 0) + 1,
    leader,
    agentServers(shared, definition),
  );
  const model = definition.model === 'inherit' ? leader.modelName : definition.model;
  return {
    header: { ...newHeader(shared.host, { parent: { sessionId, callId } }), workspace, agent: definition.name },
    plan: { options: { model }, subagent, files: leader.filesFor(callId) },
  };
}
