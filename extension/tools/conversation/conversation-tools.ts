import type { Tool } from '../../ports/tool.ts';
import { createActivateSkillTool, type SkillCatalog } from './activate-skill.ts';
import { createAskUserTool } from './ask-user.ts';
import { createCompleteTaskTool, type TaskOutput } from './complete-task.ts';
import { createEnterPlanModeTool, createExitPlanModeTool } from './plan-mode.ts';
import { createSaveMemoryTool } from './save-memory.ts';
import { createUpdateTopicTool } from './update-topic.ts';
import { createWriteTodosTool } from './write-todos.ts';

export interface ConversationParts {
  readonly skills?: SkillCatalog;
  /** What the file with instructions is called. */
  readonly memoryFile?: () => string;
  /** For a subagent, which has a task to complete. */
  readonly subagent?: { readonly output?: TaskOutput };
}

/** What the agent does with the conversation itself: ask, plan, remember, say where it is. */
export function createConversationTools({ skills, memoryFile, subagent }: ConversationParts = {}): readonly Tool[] {
  return [
    createWriteTodosTool(),
    createAskUserTool(),
    createSaveMemoryTool(memoryFile),
    createEnterPlanModeTool(),
    createExitPlanModeTool(),
    createUpdateTopicTool(),
    ...(skills ? [createActivateSkillTool(skills)] : []),
    ...(subagent ? [createCompleteTaskTool(subagent.output)] : []),
  ];
}
