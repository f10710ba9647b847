import { homedir } from 'node:os';
import type { Problem } from '../protocol/agent/problem.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { Subagent } from './agents/subagent.ts';
import type { SessionCommands } from './commands/session-commands.ts';
import type { SessionMode } from './policy/session-mode.ts';
import { SessionPolicy } from './policy/session-policy.ts';
import { policyProblem } from './problems/file-problems.ts';
import type { SharedParts } from './session-parts.ts';

interface SessionRules {
  readonly journal: SessionJournal;
  readonly mode: SessionMode;
  readonly commands: Pick<SessionCommands, 'sandbox'>;
  warn(problem: Problem): void;
}

/** The rules for one session. An agent's are those that name it, too. */
export function createSessionPolicy(
  shared: SharedParts,
  session: SessionRules,
  subagent: Subagent | undefined,
): SessionPolicy {
  const { journal, mode, commands } = session;
  const { host, policies: store, shellParser, rulesRead, mcp, extensions, memory, geminiSettings } = shared;
  return new SessionPolicy({
    host,
    home: homedir(),
    store,
    shellParser,
    journal,
    mode,
    sandbox: commands.sandbox,
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
    warn: (detail) => session.warn(policyProblem(detail)),
  });
}
