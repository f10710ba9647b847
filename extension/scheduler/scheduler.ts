import { refusal } from '../policy/gates.ts';
import type { ToolDisplay } from '../protocol/agent-event.ts';
import type { FilePort, Logger, WorkspacePort } from '../runtime/host.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import {
  isReadOnly,
  type SessionControls,
  type TextChange,
  type Tool,
  type ToolResult,
  toolError,
} from '../tools/tool.ts';
import { type Approvals, cancelled } from './approvals.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface FinishedCall {
  readonly call: ToolCall;
  readonly state: 'success' | 'error' | 'cancelled';
  readonly result: ToolResult;
}

/** How far a call had come when the process that ran it ended. */
export interface EarlierCall extends ToolCall {
  readonly started: boolean;
  readonly finished: FinishedCall | undefined;
}

/** Told of everything that is written down or shown. */
export interface SchedulerObserver {
  onUpdate(call: ToolCall, display: ToolDisplay): void;
  onStarted(call: ToolCall): void;
  onFinished(finished: FinishedCall): void;
}

export interface SchedulerPorts {
  readonly workspace: WorkspacePort;
  readonly files: FilePort;
  readonly log: Logger;
  readonly session: SessionControls;
  readableFolders(): readonly string[];
  isNamedByUser(relativePath: string): boolean;
  writeFile(path: string, content: Uint8Array | undefined, callId: string, text?: TextChange): Promise<void>;
  /** Resolves when what was written down so far is on disk. */
  synced(): Promise<void>;
}

/**
 * Runs the calls of a batch: reads side by side, everything else in order. Every submitted id is answered exactly once,
 * whatever happens: gates, bad arguments, a rejected question, a throwing tool and Stop all end in a result.
 */
export class Scheduler {
  private readonly jobs = new Map<string, Promise<FinishedCall>>();

  constructor(
    private readonly registry: ToolRegistry,
    private readonly approvals: Approvals,
    private readonly ports: SchedulerPorts,
    private readonly observer: SchedulerObserver,
  ) {}

  /**
   * Calls of a process that is gone. What finished keeps its result; a change that had begun is not begun again, because
   * nobody knows how far it came. The rest is as if it had just been submitted.
   */
  adopt(calls: readonly EarlierCall[]): void {
    for (const { finished, started, ...call } of calls) {
      const tool = this.registry.get(call.name);
      if (finished) this.jobs.set(call.id, Promise.resolve(finished));
      else if (started && !(tool && isReadOnly(tool)))
        this.jobs.set(call.id, Promise.resolve(this.unknownEffect(call)));
    }
  }

  /** Whether the call would wait for a person. */
  wouldAsk(call: ToolCall): boolean {
    const tool = this.registry.get(call.name);
    if (!tool || this.jobs.has(call.id) || this.refused(tool)) return false;
    return tool.schema.safeParse(call.args).success && this.approvals.needsAnswer(tool);
  }

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

  /** Answers calls that never came to run, because Stop was faster or their process is gone. */
  giveUp(calls: readonly ToolCall[]): void {
    for (const { id, name, args } of calls) {
      if (this.jobs.has(id)) continue;
      const result = toolError('cancelled', 'Cancelled before it finished.');
      this.jobs.set(id, Promise.resolve(this.finish({ id, name, args }, result)));
    }
  }

  /** The result of a submitted call. */
  join(id: string): Promise<FinishedCall> | undefined {
    return this.jobs.get(id);
  }

  /** The calls of the run are answered in the history: nobody asks for them here again. */
  forget(): void {
    this.jobs.clear();
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
    return this.finish(call, result);
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
    // Nobody is asked about what could not run anyway.
    const refused = this.refused(tool) ?? (await this.approvals.refusalOf(call, tool, signal));
    if (refused) return refused;
    await unlessAborted(startsAfter, signal);
    if (signal.aborted) return cancelled();
    return this.refused(tool) ?? this.execute(call, tool, parsed.data, signal);
  }

  /** Trust may have changed since the model was told of the tool: asked again right before the body starts. */
  private refused(tool: Tool): ToolResult | undefined {
    const reason = refusal(tool, this.ports.workspace);
    return reason === undefined ? undefined : toolError('policy_violation', reason);
  }

  private async execute(
    call: ToolCall,
    tool: Tool,
    args: Parameters<Tool['execute']>[0],
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { workspace, files, session, writeFile } = this.ports;
    this.observer.onStarted(call);
    if (!isReadOnly(tool)) {
      // The yes and the start are on disk before there can be an effect.
      await unlessAborted(this.ports.synced(), signal);
      if (signal.aborted) return cancelled();
    }
    const body = tool.execute(args, {
      callId: call.id,
      signal,
      workspace,
      files,
      session,
      readableFolders: this.ports.readableFolders(),
      isNamedByUser: (relativePath) => this.ports.isNamedByUser(relativePath),
      writeFile: (path, content, text) => {
        signal.throwIfAborted();
        return writeFile(path, content, call.id, text);
      },
      update: (display) => this.observer.onUpdate(call, display),
    });
    return (await unlessAborted(body, signal)) ?? (isReadOnly(tool) ? cancelled() : cutShort());
  }

  private finish(call: ToolCall, result: ToolResult): FinishedCall {
    const finished: FinishedCall = { call, state: endState(result), result };
    this.observer.onFinished(finished);
    return finished;
  }

  private unknownEffect(call: ToolCall): FinishedCall {
    const text = `Gantry was closed while ${call.name} was running. Whether it took effect is not known: look before repeating it.`;
    return this.finish(call, toolError('effect_unknown', text));
  }

  private unknownTool(name: string): string {
    const names = this.registry.offered(this.ports.workspace).map((tool) => tool.name);
    return `There is no tool named "${name}". Available: ${names.join(', ')}.`;
  }
}

function endState({ error }: ToolResult): FinishedCall['state'] {
  if (!error) return 'success';
  return error.type === 'cancelled' || error.type === 'rejected' ? 'cancelled' : 'error';
}

function cutShort(): ToolResult {
  return toolError('cancelled', 'Cancelled: the user stopped this while it ran. A part of it may have happened.');
}

function badArguments(name: string, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const problems = issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return `The arguments of ${name} are not valid. ${problems.join('; ')}.`;
}
