import * as l10n from '@vscode/l10n';
import type { LocalAgent } from '../../agents/agent-definition.ts';
import { type AgentSurroundings, agentInstruction } from '../../agents/agent-instruction.ts';
import { DEEPEST, mayHave } from '../../agents/agent-tools.ts';
import { CODEBASE_INVESTIGATOR } from '../../agents/built-in-agents.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import { type GenerationSettings, shapingOf } from '../../model/catalog/generation-settings.ts';
import type { Limits } from '../../ports/settings.ts';
import type { Tool } from '../../ports/tool.ts';
import { createCompleteTaskTool } from '../../tools/conversation/complete-task.ts';
import type { ToolRegistry, ToolSource } from '../../tools/registry.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import type { SessionSandbox } from '../policy/session-sandbox.ts';
import type { ReportChanges } from '../protected/compared-files.ts';

/** The session that an agent works for, as far as the agent depends on it. */
export interface Leader {
  readonly mode: SessionMode;
  readonly registry: ToolRegistry;
  readonly commands: {
    readonly sandbox: SessionSandbox;
    /** Protected files that changed are shown there, and put back. */
    readonly reportProtected: ReportChanges;
  };
  /** Who leads, when that is an agent too. */
  readonly subagent: Subagent | undefined;
  /** Whether the user wrote this file's name there: what the leading model writes is not the user's word. */
  isNamedByUser(relativePath: string): boolean;
}

/** As in Gemini CLI. */
const TOP_P = 0.95;

/** One more turn to hand over what there is; as in Gemini CLI. */
const GRACE = { turns: 1, minutes: 1 };

const NO_TOOLS: readonly Tool[] = [];

/** What makes a session the work of an agent: whose it is, and whom it follows. */
export class Subagent {
  private isInGrace = false;
  private lastSeen: { readonly all: readonly Tool[]; readonly ofServers: readonly Tool[] } = {
    all: NO_TOOLS,
    ofServers: NO_TOOLS,
  };

  constructor(
    readonly definition: LocalAgent,
    /** How many sessions it stands below. */
    readonly depth: number,
    /** Absent for one that is only opened again, when nobody waits for it any more. */
    public leader?: Leader,
    /** Those that nobody else has. */
    readonly servers?: McpServers,
  ) {}

  /** One whose session is opened again. Where its definition is gone, it can only look. */
  static again(name: string, definition: LocalAgent | undefined): Subagent {
    return new Subagent(definition ?? { ...CODEBASE_INVESTIGATOR, name }, DEEPEST);
  }

  get name(): string {
    return this.definition.name;
  }

  /** What its questions say about where it comes from. */
  get asker(): string | undefined {
    const { name, extension } = this.definition;
    return extension === undefined
      ? undefined
      : l10n.t('Asked by the agent {0} ({1}).', name, l10n.t('extension {0}', extension));
  }

  get mayInvoke(): boolean {
    return this.depth < DEEPEST;
  }

  /** Of its own tools those that it may have and its leader has too. */
  toolsOf(own: readonly Tool[]): readonly Tool[] {
    const { leader, definition } = this;
    const mine = leader ? own.filter(({ name }) => leader.registry.get(name)) : own;
    return [...mine.filter((tool) => mayHave(definition, tool)), createCompleteTaskTool()];
  }

  /** Those of MCP servers: the leader's, but for what only the leader has, and all of its own. */
  get serverTools(): readonly ToolSource[] {
    return this.servers ? [this.sharedTools, this.servers] : [this.sharedTools];
  }

  /** As the leader has them at every moment. */
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

  /** Never more than a user allows for one message. */
  limits({ prompt, session }: Limits): Limits {
    const { maxTurns, timeoutMins } = this.definition;
    const { turns, minutes } = this.isInGrace ? GRACE : { turns: maxTurns, minutes: timeoutMins };
    return {
      prompt: { ...prompt, turns: stricter(prompt.turns, turns), minutes: stricter(prompt.minutes, minutes) },
      session,
    };
  }

  /** The next message is its last chance to hand over a result. */
  beginGrace(): void {
    this.isInGrace = true;
  }

  /** It is done; whoever opens its session talks to it without a leader and without servers of its own. */
  async release(): Promise<void> {
    this.isInGrace = false;
    this.leader = undefined;
    await this.servers?.dispose();
  }
}

function stricter(ofUser: number, own: number): number {
  return ofUser < 0 ? own : Math.min(ofUser, own);
}
