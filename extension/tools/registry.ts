import { isOffered } from '../policy/gates.ts';
import type { ApprovalMode } from '../protocol/approval-mode.ts';
import type { WorkspacePort } from '../runtime/host.ts';
import type { Tool } from './tool.ts';

/** Names that tools had before, and that models and rules still use. The model is only told the real ones. */
const ALIASES: ReadonlyMap<string, string> = new Map([['search_file_content', 'grep_search']]);

/** The tools of one session, by name. */
export class ToolRegistry {
  private readonly tools: ReadonlyMap<string, Tool>;

  constructor(tools: readonly Tool[]) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  get all(): readonly Tool[] {
    return [...this.tools.values()];
  }

  get(name: string): Tool | undefined {
    return this.tools.get(name) ?? this.tools.get(ALIASES.get(name) ?? '');
  }

  /** What the model may know of right now. */
  offered(workspace: WorkspacePort, mode: ApprovalMode): readonly Tool[] {
    return [...this.tools.values()].filter((tool) => isOffered(tool, workspace, mode));
  }
}
