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
  /** The name of the file with instructions. */
  readonly memoryFile?: () => string;
  /** Set for a subagent, which has a task to complete. */
  readonly subagent?: { readonly output?: TaskOutput };
}

/** Tools that concern the conversation itself: asking, planning, remembering, reporting progress. */
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
