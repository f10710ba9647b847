import type { RuleDraft } from '../policy/policy-types.ts';
import type { OfferedGrant, PolicyPort, Ruling } from '../scheduler/policy-port.ts';
import type { ToolCall } from '../scheduler/scheduler.ts';
import type { Tool } from '../tools/tool.ts';

/** The rules as they apply to one session. */
export class SessionPolicy implements PolicyPort {
  decide(_call: ToolCall, tool: Tool): Promise<Ruling> {
    const looks = tool.kind === 'read' || tool.kind === 'search';
    return Promise.resolve({ decision: looks ? 'allow' : 'ask_user', why: '' });
  }

  grantsFor(): Promise<readonly OfferedGrant[]> {
    return Promise.resolve([]);
  }

  allowForSession(_rules: readonly RuleDraft[]): void {}

  remember(): Promise<void> {
    return Promise.resolve();
  }
}
