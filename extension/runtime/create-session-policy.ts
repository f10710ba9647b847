import { homedir } from 'node:os';
import type { Problem } from '../protocol/problem.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { Subagent } from './agents/subagent.ts';
import { policyProblem } from './file-problems.ts';
import type { SessionMode } from './session-mode.ts';
import type { SharedParts } from './session-parts.ts';
import { SessionPolicy } from './session-policy.ts';

export interface SessionPolicyOwner {
  readonly journal: SessionJournal;
  readonly mode: SessionMode;
  readonly subagent: Subagent | undefined;
  readonly warn: (problem: Problem) => void;
}

/** The rules for one session. An agent's are those that name it, too. */
export function createSessionPolicy(shared: SharedParts, owner: SessionPolicyOwner): SessionPolicy {
  const { journal, mode, subagent, warn } = owner;
  const { host, policies: store, shellParser, rulesRead, mcp, extensions, memory, geminiSettings } = shared;
  return new SessionPolicy({
    host,
    home: homedir(),
    store,
    shellParser,
    journal,
    mode,
    subagent: journal.header.agent,
    restrictions: () => geminiSettings.restrictions,
    settingRules: () => [
      ...geminiSettings.restrictions.rules,
      ...mcp.rules,
      ...(subagent?.servers?.rules ?? []),
      ...extensions.rules,
    ],
    memoryNames: () => memory.knownNames,
    extensions: () => extensions.enabled(),
    rulesRead,
    warn: (detail) => warn(policyProblem(detail)),
  });
}
