import { refusal } from '../policy/gates.ts';
import type { ToolDisplay } from '../protocol/agent-event.ts';
import type { FilePort, Logger, WorkspacePort } from '../runtime/host.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { isReadOnly, type Tool, type ToolResult, toolError } from '../tools/tool.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type ToolCallState = 'validating' | 'scheduled' | 'executing' | 'success' | 'error' | 'cancelled';

export interface FinishedCall {
  readonly call: ToolCall;
  readonly state: Extract<ToolCallState, 'success' | 'error' | 'cancelled'>;
  readonly result: ToolResult;
}

/** Told of everything a surface may want to show. */
export interface SchedulerObserver {
  onUpdate(call: ToolCall, display: ToolDisplay): void;
  onFinished(finished: FinishedCall): void;
}

export interface SchedulerPorts {
  readonly workspace: WorkspacePort;
  readonly files: FilePort;
  readonly log: Logger;
}

/**
 * Runs the calls of a batch: reads side by side, everything else in order. Every submitted id is answered exactly once,
 * whatever happens: gates, bad arguments, a throwing tool and Stop all end in a result.
 */
export class Scheduler {
  private readonly jobs = new Map<string, Promise<FinishedCall>>();

  constructor(
    private readonly registry: ToolRegistry,
    private readonly ports: SchedulerPorts,
    private readonly observer: SchedulerObserver,
  ) {}

  /** Starts a batch. Synchronous; an id that was submitted before is not run again. */
  submit(calls: readonly ToolCall[], signal: AbortSignal): void {
    let earlier: Promise<unknown> = Promise.resolve();
    let lastChange: Promise<unknown> = earlier;
    for (const call of calls) {
      if (this.jobs.has(call.id)) continue;
      const tool = this.registry.get(call.name);
      const startsAfter = tool && !isReadOnly(tool) ? earlier : lastChange;
      const job = this.run(call, tool, startsAfter, signal);
      this.jobs.set(call.id, job);
      earlier = Promise.all([earlier, job]);
      if (tool && !isReadOnly(tool)) lastChange = earlier;
    }
  }

  /** The result of a submitted call. */
  join(id: string): Promise<FinishedCall> | undefined {
    return this.jobs.get(id);
  }

  private async run(
    call: ToolCall,
    tool: Tool | undefined,
    startsAfter: Promise<unknown>,
    signal: AbortSignal,
  ): Promise<FinishedCall> {
    const result = await this.resultOf(call, tool, startsAfter, signal).catch((error: unknown) => {
      this.ports.log.error(`Tool ${call.name} failed unexpectedly`, error);
      return toolError('unhandled_exception', `${call.name} failed: ${error instanceof Error ? error.message : error}`);
    });
    const finished: FinishedCall = { call, state: endState(result), result };
    this.observer.onFinished(finished);
    return finished;
  }

  private async resultOf(
    call: ToolCall,
    tool: Tool | undefined,
    startsAfter: Promise<unknown>,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    if (!tool) return toolError('tool_not_registered', this.unknownTool(call.name));
    const parsed = tool.schema.safeParse(call.args);
    if (!parsed.success) return toolError('invalid_tool_params', badArguments(call.name, parsed.error.issues));
    await unlessAborted(startsAfter, signal);
    if (signal.aborted) return cancelled();
    // Trust may have changed since the model was told of the tool: the gate is asked right before the body starts.
    const refused = refusal(tool, this.ports.workspace);
    if (refused) return toolError('policy_violation', refused);
    const { workspace, files } = this.ports;
    const update = (display: ToolDisplay): void => this.observer.onUpdate(call, display);
    const body = tool.execute(parsed.data, { callId: call.id, signal, workspace, files, update });
    return (await unlessAborted(body, signal)) ?? cancelled();
  }

  private unknownTool(name: string): string {
    const names = this.registry.offered(this.ports.workspace).map((tool) => tool.name);
    return `There is no tool named "${name}". Available: ${names.join(', ')}.`;
  }
}

function endState({ error }: ToolResult): FinishedCall['state'] {
  if (!error) return 'success';
  return error.type === 'cancelled' ? 'cancelled' : 'error';
}

function cancelled(): ToolResult {
  return toolError('cancelled', 'Cancelled: the user stopped this before it finished.');
}

function badArguments(name: string, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const problems = issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return `The arguments of ${name} are not valid. ${problems.join('; ')}.`;
}
