import { BaseTool, BaseToolset, type RunAsyncToolRequest } from '@google/adk';
import type { FunctionDeclaration, Part } from '@google/genai';
import { MEDIA_KEY } from '../../context/media-line.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { FinishedCall, Scheduler } from '../../scheduler/scheduler.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { parametersOf } from '../../tools/tool-parameters.ts';

/** ADK's view of a tool. It runs nothing: the scheduler already has the call, and this waits for its result. */
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

/** The declaration of a tool for the model. The same object for equal tools, also in other sessions. */
export function declarationOf(tool: Tool): FunctionDeclaration {
  const { name, description } = tool;
  // A schema is made when it is asked for.
  const source = tool.parameters ?? tool.schema;
  const known = DECLARATIONS.get(source);
  if (known?.name === name && known.description === description) return known;
  const declaration = { name, description, parametersJsonSchema: tool.parameters ?? parametersOf(tool.schema) };
  DECLARATIONS.set(source, declaration);
  return declaration;
}

/** A cache: a session has about thirty tools, and what their schemas become takes longer than the rest of its start. */
const DECLARATIONS = new WeakMap<object, FunctionDeclaration>();

/** Answers a call of an unknown tool. It is never declared to the model. */
export function toAdkStub(name: string, scheduler: Scheduler): BaseTool {
  return new JoiningTool(name, 'Not a tool.', scheduler);
}

/** The tools that are offered to the model at this step, because trust and mode may change between steps. */
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
    // ADK calls this after every run, but the tools live as long as the session.
    return Promise.resolve();
  }

  private adkTool(tool: Tool): BaseTool {
    const known = this.adkTools.get(tool);
    // The description may list the available agents, which can change.
    if (known?.description === tool.description) return known;
    const made = toAdkTool(tool, this.scheduler);
    this.adkTools.set(tool, made);
    return made;
  }
}

/** The response to a finished call for the model. */
export function functionResponse({ result }: Pick<FinishedCall, 'result'>): Record<string, unknown> {
  if (result.error) return { error: result.error.message };
  return typeof result.content === 'string' ? { output: result.content } : responseWithMedia(result.content);
}

function responseWithMedia(parts: Exclude<ToolResult['content'], string>): Record<string, unknown> {
  const text = parts.map((part: Part) => part.text ?? '').join('');
  const media = parts.filter((part) => part.inlineData || part.fileData);
  return { output: text || `${media.length} attachment(s) follow.`, [MEDIA_KEY]: media };
}
