import { BasePlugin, type BaseTool } from '@google/adk';
import type { Scheduler } from '../../scheduler/scheduler.ts';

/**
 * The second line: no tool answers in ADK unless the scheduler has the call, which means that gates, rules and people
 * were asked. It can only assert, because the body runs in the scheduler and may have ended by now.
 */
export class PolicyEnforcementPlugin extends BasePlugin {
  constructor(private readonly scheduler: Pick<Scheduler, 'hasDecidedOn'>) {
    super('policy_enforcement');
  }

  override beforeToolCallback({
    tool,
    toolContext,
  }: {
    readonly tool: BaseTool;
    readonly toolContext: { readonly functionCallId?: string | undefined };
  }): Promise<Record<string, unknown> | undefined> {
    const id = toolContext.functionCallId;
    if (id !== undefined && this.scheduler.hasDecidedOn(id)) return Promise.resolve(undefined);
    return Promise.resolve({ error: `${tool.name} was not run: nobody has decided whether it may.` });
  }
}
