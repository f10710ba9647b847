import { homedir } from 'node:os';
import type { Subagent } from './agents/subagent.ts';
import type { LiveSession } from './live-session.ts';
import { SessionPolicy } from './policy/session-policy.ts';
import { policyProblem } from './problems/file-problems.ts';
import type { SharedParts } from './session-parts.ts';

/** The rules for one session. An agent's are those that name it, too. */
export function createSessionPolicy(
  shared: SharedParts,
  session: Pick<LiveSession, 'journal' | 'mode' | 'commands' | 'warn'>,
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
