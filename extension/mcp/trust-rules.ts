import type { PolicyRule } from '../policy/policy-types.ts';
import type { ConfiguredServer } from './server-catalog.ts';

/** Where Gemini CLI puts what `trust` says: below rules that people wrote for a tool. */
const PRIORITY = 4.2;

/** That the tools of servers which the user trusts run unasked, except while a plan is made. */
export function trustRules(servers: readonly ConfiguredServer[]): readonly PolicyRule[] {
  return servers
    .filter(({ trust, waits }) => trust && !waits)
    .map(({ name, origin: { file, line } }) => ({
      toolName: '*',
      mcpName: name,
      decision: 'allow',
      priority: PRIORITY,
      modes: ['default', 'autoEdit', 'yolo'],
      source: { tier: 'user', label: `"trust" of the MCP server "${name}"`, file, line },
    }));
}
