import type { AgentDefinition, LocalAgent } from '../agents/agent-definition.ts';
import type { SessionHeader } from '../sessions/session-record.ts';
import type { LeadingSession } from './agents/session-agents.ts';
import { Subagent } from './agents/subagent.ts';
import { newHeader } from './library/new-session.ts';
import type { SessionPlan, SharedParts } from './session-parts.ts';
import { agentServers } from './session-servers.ts';

export interface AgentPlan {
  readonly header: SessionHeader;
  readonly plan: SessionPlan & { readonly subagent: Subagent };
}

/** Plans the session of an agent that will work for a call of its leader. */
export function planAgent(
  shared: SharedParts,
  leader: LeadingSession,
  definition: LocalAgent,
  callId: string,
): AgentPlan {
  const subagent = new Subagent(
    definition,
    (leader.subagent?.depth ?? 0) + 1,
    leader,
    agentServers(shared, definition),
  );
  const model = definition.model === 'inherit' ? leader.modelName : definition.model;
  return {
    header: agentHeader(shared, leader, definition, callId),
    plan: {
      options: { model, editor: leader.editor, interactive: leader.interactive },
      subagent,
      files: leader.filesFor(callId),
    },
  };
}

export function agentHeader(
  { host }: Pick<SharedParts, 'host'>,
  { journal }: LeadingSession,
  { name, kind }: AgentDefinition,
  callId: string,
): SessionHeader {
  const { id: sessionId, workspace } = journal.header;
  const header = { ...newHeader(host, { parent: { sessionId, callId } }), workspace, agent: name };
  return kind === 'remote' ? { ...header, isRemote: true } : header;
}
