import { BaseTool, BaseToolset, type RunAsyncToolRequest } from '@google/adk';
import type { FunctionDeclaration, Part } from '@google/genai';
import { z } from 'zod';
import { MEDIA_KEY } from '../../context/media-line.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { FinishedCall, Scheduler } from '../../scheduler/scheduler.ts';
import type { ToolRegistry } from '../../tools/registry.ts';

/** A tool as ADK sees it. It runs nothing itself: the scheduler has the call already, this joins its result. */
class JoiningTool extends BaseTool {
  constructor(
    name: string,
    description: string,
    private readonly scheduler: Scheduler,
    private readonly declaration?: FunctionDeclaration,
  ) {
    super({ name, description });
  }

  override _getDeclaration(): FunctionDeclaration | undefined {
    return this.declaration;
  }

  override async runAsync({ toolContext }: RunAsyncToolRequest): Promise<unknown> {
    const finished = await this.scheduler.join(toolContext.functionCallId ?? '');
    return finished ? functionResponse(finished) : { error: `The scheduler has not seen this call of ${this.name}.` };
  }
}

export function toAdkTool(tool: Tool, scheduler: Scheduler): BaseTool {
  return new JoiningTool(tool.name, tool.description, scheduler, declarationOf(tool));
}

/** What the model is told about a tool. */
export function declarationOf({ name, description, schema, parameters: given }: Tool): FunctionDeclaration {
  if (given) return { name, description, parametersJsonSchema: given };
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return { name, description, parametersJsonSchema: parameters };
}

/** Answers a call to a name that is no tool. Never declared to the model. */
export function toAdkStub(name: string, scheduler: Scheduler): BaseTool {
  return new JoiningTool(name, 'Not a tool.', scheduler);
}

/** The tools the model may know of at this step: trust and mode may change between two steps. */
export class ModeAwareToolset extends BaseToolset {
  private readonly adkTools = new WeakMap<Tool, BaseTool>();

  constructor(
    private readonly registry: ToolRegistry,
    private readonly scheduler: Scheduler,
    private readonly workspace: WorkspacePort,
    private readonly mode: () => ApprovalMode,
  ) {
    super([]);
  }

  override getTools(): Promise<BaseTool[]> {
    return Promise.resolve(this.registry.offered(this.workspace, this.mode()).map((tool) => this.adkTool(tool)));
  }

  override close(): Promise<void> {
    // Called by ADK after every run; the tools live as long as the session.
    return Promise.resolve();
  }

  private adkTool(tool: Tool): BaseTool {
    const known = this.adkTools.get(tool);
    // Which agents there are is part of a description, and may change.
    if (known?.description === tool.description) return known;
    const made = toAdkTool(tool, this.scheduler);
    this.adkTools.set(tool, made);
    return made;
  }
}

/** What the model is told about a finished call. */
export function functionResponse({ result }: Pick<FinishedCall, 'result'>): Record<string, unknown> {
  if (result.error) return { error: result.error.message };
  return typeof result.content === 'string' ? { output: result.content } : responseWithMedia(result.content);
}

function responseWithMedia(parts: Exclude<ToolResult['content'], string>): Record<string, unknown> {
  const text = parts.map((part: Part) => part.text ?? '').join('');
  const media = parts.filter((part) => part.inlineData || part.fileData);
  return { output: text || `${media.length} attachment(s) follow.`, [MEDIA_KEY]: media };
}
