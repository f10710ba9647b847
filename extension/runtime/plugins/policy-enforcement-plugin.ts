import { BasePlugin, type BaseTool } from '@google/adk';
import type { Scheduler } from '../../scheduler/scheduler.ts';

/**
 * A second check: no tool answers in ADK unless the scheduler knows the call, which means that gates, rules and users
 * were asked. It is only an assertion, because the scheduler runs the tool, which may have ended by now.
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
