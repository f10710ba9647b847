import * as l10n from '@vscode/l10n';
import type { AgentDefinition, LocalAgent } from '../../agents/agent-definition.ts';
import { type AgentSurroundings, agentInstruction } from '../../agents/agent-instruction.ts';
import { DEEPEST, mayHave } from '../../agents/agent-tools.ts';
import { CODEBASE_INVESTIGATOR } from '../../agents/built-in-agents.ts';
import type { EnvironmentSource } from '../../context/environment/environment-text.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import { type GenerationSettings, shapingOf } from '../../model/catalog/generation-settings.ts';
import type { Limits } from '../../ports/settings.ts';
import type { Tool } from '../../ports/tool.ts';
import { createCompleteTaskTool } from '../../tools/conversation/complete-task.ts';
import type { ToolRegistry, ToolSource } from '../../tools/registry.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import type { SessionSandbox } from '../policy/session-sandbox.ts';
import type { ReportChanges } from '../protected/compared-files.ts';

/** The part of a leader that its agents depend on. */
export interface Leader {
  readonly mode: SessionMode;
  readonly registry: ToolRegistry;
  readonly commands: {
    readonly sandbox: SessionSandbox;
    /** Reports changed protected files to the leader, where they are shown and can be restored. */
    readonly reportProtected: ReportChanges;
  };
  /** The machine and the workspace, which are the same for its agents. */
  readonly environment: EnvironmentSource;
  /** Set if the leader is an agent itself. */
  readonly subagent: Subagent | undefined;
  /** Whether the user wrote this file's name to the leader. Text by the leader's model does not count. */
  isNamedByUser(relativePath: string): boolean;
}

/** As in Gemini CLI. */
const TOP_P = 0.95;

/** The agent gets one more turn to hand over its result, as in Gemini CLI. */
const GRACE = { turns: 1, minutes: 1 };

const NO_TOOLS: readonly Tool[] = [];

/** Makes a session the work of an agent: has the agent's definition and its leader. */
export class Subagent {
  private isInGrace = false;
  private lastSeen: { readonly all: readonly Tool[]; readonly ofServers: readonly Tool[] } = {
    all: NO_TOOLS,
    ofServers: NO_TOOLS,
  };

  constructor(
    readonly definition: LocalAgent,
    /** The number of sessions above it. */
    readonly depth: number,
    /** Undefined if the session was only reopened: no leader waits for its result then. */
    public leader?: Leader,
    /** MCP servers that only this agent uses. */
    readonly servers?: McpServers,
  ) {}

  /** Creates the agent of a reopened session. If its definition no longer exists, the agent can only read. */
  static again(name: string, definition: AgentDefinition | undefined): Subagent {
    return new Subagent(definition?.kind === 'local' ? definition : { ...CODEBASE_INVESTIGATOR, name }, DEEPEST);
  }

  get name(): string {
    return this.definition.name;
  }

  /** The origin of the agent as its questions show it, if an extension provides it. */
  get asker(): string | undefined {
    const { name, extension } = this.definition;
    return extension === undefined
      ? undefined
      : l10n.t('Asked by the agent {0} ({1}).', name, l10n.t('extension {0}', extension));
  }

  get mayInvoke(): boolean {
    return this.depth < DEEPEST;
  }

  /** Keeps the agent's own tools that its definition allows and its leader has too. */
  toolsOf(own: readonly Tool[]): readonly Tool[] {
    const { leader, definition } = this;
    const mine = leader ? own.filter(({ name }) => leader.registry.get(name)) : own;
    return [...mine.filter((tool) => mayHave(definition, tool)), createCompleteTaskTool()];
  }

  /** Tools of MCP servers: the leader's, except those of the leader's own servers, and all of the agent's own. */
  get serverTools(): readonly ToolSource[] {
    return this.servers ? [this.sharedTools, this.servers] : [this.sharedTools];
  }

  /** Follows changes of the leader's tools. */
  private readonly sharedTools: ToolSource = {
    tools: () => {
      const { leader, definition, lastSeen } = this;
      const all = leader?.registry.all ?? NO_TOOLS;
      if (lastSeen.all !== all) {
        const ofLeader = new Set(leader?.subagent?.servers?.tools());
        const isShared = (tool: Tool): boolean => tool.server !== undefined && !ofLeader.has(tool);
        const ofServers = all.filter((tool) => isShared(tool) && mayHave(definition, tool));
        this.lastSeen = { all, ofServers };
      }
      return this.lastSeen.ofServers;
    },
  };

  instruction(surroundings: AgentSurroundings): string {
    return agentInstruction(this.definition, surroundings);
  }

  generation(ofUser: GenerationSettings): GenerationSettings {
    const { temperature, generation } = this.definition;
    return { ...ofUser, temperature, topP: TOP_P, ...shapingOf(generation) };
  }

  /** The agent's limits, which never exceed the user's limits for one message. */
  limits({ prompt, session }: Limits): Limits {
    const { maxTurns, timeoutMins } = this.definition;
    const { turns, minutes } = this.isInGrace ? GRACE : { turns: maxTurns, minutes: timeoutMins };
    return {
      prompt: { ...prompt, turns: stricter(prompt.turns, turns), minutes: stricter(prompt.minutes, minutes) },
      session,
    };
  }

  /** Makes the next message the agent's last chance to hand over a result. */
  beginGrace(): void {
    this.isInGrace = true;
  }

  /** Ends the agent's work. A user who opens its session later uses it without a leader and without its own servers. */
  async release(): Promise<void> {
    this.isInGrace = false;
    this.leader = undefined;
    await this.servers?.dispose();
  }
}

function stricter(ofUser: number, own: number): number {
  return ofUser < 0 ? own : Math.min(ofUser, own);
}
