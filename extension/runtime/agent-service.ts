import { randomUUID } from 'node:crypto';
import { LlmAgent, Runner } from '@google/adk';
import { systemInstruction } from '../context/system-instruction.ts';
import { ModelSource } from '../model/model-source.ts';
import type { ToolDisplay } from '../protocol/agent-event.ts';
import { AgentSession } from '../protocol/agent-session.ts';
import { Scheduler, type ToolCall } from '../scheduler/scheduler.ts';
import { LiveSessionService } from '../sessions/live-session-service.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { ToolRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { AdkAgentProtocol, CurrentStream } from './adk-agent-protocol.ts';
import { AgentModel } from './agent-model.ts';
import { EventLog } from './event-log.ts';
import { toolResponse } from './event-translator.ts';
import type { Host } from './host.ts';
import { badInput } from './message-limits.ts';
import { prepareAdk } from './prepare-adk.ts';
import { AGENT_NAME } from './repair-history.ts';
import { arrangeRequestPipeline } from './request-pipeline.ts';
import { ModeAwareToolset, toAdkStub } from './to-adk-tool.ts';

export interface SessionOptions {
  /** Instead of the configured model. */
  readonly model?: string;
  /** Instead of `gantry.session.maxTurns`. */
  readonly maxTurns?: number;
}

const APP_NAME = 'gantry';
const USER_ID = 'user';

/** The composition root of the runtime: builds sessions and everything below them. */
export class AgentService {
  private readonly adkSessions = new LiveSessionService();
  private readonly sessions = new Map<string, AgentSession>();
  private readonly models: ModelSource;

  constructor(
    private readonly host: Host,
    private readonly tools: readonly Tool[] = [createReadFileTool()],
  ) {
    prepareAdk(host.log);
    this.models = new ModelSource(host);
  }

  async createSession(options: SessionOptions = {}): Promise<AgentSession> {
    const { host } = this;
    const session = await this.adkSessions.createSession({
      appName: APP_NAME,
      userId: USER_ID,
      sessionId: randomUUID(),
    });
    const stream = new CurrentStream();
    const registry = new ToolRegistry(this.tools);
    const describe = (call: ToolCall): ToolDisplay => this.describe(registry.get(call.name), call);
    const scheduler = new Scheduler(registry, host, {
      onUpdate: (call, display) => stream.emit({ type: 'tool_update', requestId: call.id, display }),
      onFinished: (finished) => stream.emit(toolResponse(finished, describe)),
    });
    let announced: string | undefined;
    const model = new AgentModel({
      resolve: () => this.models.resolve(options.model ?? host.settings.modelName()),
      onModelResolved: ({ label }) => {
        if (label === announced) return;
        announced = label;
        stream.emit({ type: 'session_update', model: label });
      },
      log: host.log,
      toolFor: (name) => toAdkStub(name, scheduler),
    });
    const agent = new LlmAgent({
      name: AGENT_NAME,
      model,
      // A provider, because ADK treats a plain string as a template and `{x}` in it as a variable.
      instruction: () => systemInstruction(host.workspace),
      tools: [new ModeAwareToolset(registry, scheduler, host.workspace)],
      disallowTransferToParent: true,
      disallowTransferToPeers: true,
    });
    arrangeRequestPipeline(agent);
    const protocol = new AdkAgentProtocol({
      session,
      sessions: this.adkSessions,
      runner: new Runner({ appName: APP_NAME, agent, sessionService: this.adkSessions }),
      model,
      scheduler,
      events: new EventLog(host.clock, host.log),
      describe,
      stream,
      workspace: host.workspace.roots()[0] ?? '',
      maxTurns: () => options.maxTurns ?? host.settings.maxTurns(),
      log: host.log,
    });
    const agentSession = new AgentSession(protocol);
    this.sessions.set(session.id, agentSession);
    return agentSession;
  }

  /** A session of this window. Sessions are not stored yet, so an id of another run is not found. */
  resumeSession(id: string): Promise<AgentSession> {
    const session = this.sessions.get(id);
    return session ? Promise.resolve(session) : Promise.reject(badInput(`There is no session with the id ${id}.`));
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.abort()));
    this.sessions.clear();
  }

  private describe(tool: Tool | undefined, call: ToolCall): ToolDisplay {
    if (!tool) return { name: call.name };
    return { name: tool.displayName, description: tool.describe(call.args, this.host.workspace) };
  }
}
