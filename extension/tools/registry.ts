import { isOffered } from '../policy/gates.ts';
import type { Refusal, Tool } from '../ports/tool.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

/** Former names of tools that models and rules still use. Only the current names are offered to the model. */
const ALIASES: ReadonlyMap<string, string> = new Map([['search_file_content', 'grep_search']]);

/** Tools that can change during a session, such as those of MCP servers. */
export interface ToolSource {
  /** Returns the same array as long as nothing has changed. */
  tools(): readonly Tool[];
}

/** Restrictions from settings. The same object as long as nothing has changed. */
interface ToolLimits {
  /** The reason why no call of this tool may run. */
  refusal(tool: Tool): Refusal | undefined;
}

interface Known {
  readonly limits: ToolLimits;
  readonly lists: readonly (readonly Tool[])[];
  readonly all: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  /** The tools that are offered only while they are useful. */
  readonly conditional: readonly Tool[];
  /** Keyed by mode, trust, and which of those tools are useful. */
  readonly offered: Map<string, readonly Tool[]>;
}

/** The tools of one session, by name. The result is cached until a source returns another array. */
export class ToolRegistry {
  private known: Known | undefined;

  constructor(
    private readonly own: readonly Tool[],
    private readonly sources: readonly ToolSource[] = [],
    private readonly limits: () => ToolLimits = () => NO_LIMITS,
  ) {}

  /** The same array as long as nothing has changed. */
  get all(): readonly Tool[] {
    return this.now().all;
  }

  get(name: string): Tool | undefined {
    const { byName } = this.now();
    return byName.get(name) ?? byName.get(ALIASES.get(name) ?? '');
  }

  /** The reason why settings forbid every call of this tool. */
  refusal(tool: Tool): Refusal | undefined {
    return this.limits().refusal(tool);
  }

  /** The tools that the model learns about now. */
  offered(workspace: WorkspacePort, mode: ApprovalMode): readonly Tool[] {
    const { all, conditional, offered, limits } = this.now();
    const key = `${mode} ${workspace.isTrusted()} ${conditional.map((tool) => tool.isUseful?.())}`;
    const tools = offered.get(key) ?? all.filter((tool) => isOffered(tool, workspace, mode) && !limits.refusal(tool));
    offered.set(key, tools);
    return tools;
  }

  private now(): Known {
    const lists = this.sources.map((source) => source.tools());
    const limits = this.limits();
    const { known } = this;
    if (known?.limits === limits && lists.every((list, index) => list === known.lists[index])) return known;
    const byName = new Map(this.own.map((tool) => [tool.name, tool]));
    // A tool from outside can't replace a built-in tool.
    for (const tool of lists.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    const all = [...byName.values()];
    const conditional = all.filter((tool) => tool.isUseful !== undefined);
    this.known = { limits, lists, all, byName, conditional, offered: new Map() };
    return this.known;
  }
}

const NO_LIMITS: ToolLimits = { refusal: () => undefined };
