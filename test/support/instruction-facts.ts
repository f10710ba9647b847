import type { InstructionParts } from '../../extension/context/instruction/instruction-provider.ts';
import type { InstructionFacts } from '../../extension/context/instruction/system-instruction.ts';
import { MemoryFiles } from '../../extension/context/memory/memory-files.ts';
import { SessionMemory } from '../../extension/context/memory/session-memory.ts';
import type { ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';

const READING = ['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search'];
const EDITOR = ['get_diagnostics', 'find_symbol', 'go_to_definition', 'find_references', 'get_open_editors'];
const PLANNING = [...READING, 'replace', 'write_file', 'ask_user', 'write_todos', 'exit_plan_mode', 'invoke_agent'];
const ALL = [...PLANNING, 'run_shell_command', 'enter_plan_mode'];

/** A session in a trusted folder of the editor, with a current model. */
export const USUAL_FACTS: InstructionFacts = {
  roots: ['/work/shop'],
  tools: [...ALL, ...EDITOR, 'rename_symbol'],
  variant: 'gemini-3',
  isTrusted: true,
  mode: 'default',
  plansFolder: '/home/me/.gantry/sessions/1/plans',
  isInteractive: true,
  approvedPlan: undefined,
  hasHooks: false,
  skills: [],
  memory: [],
  further: [],
};

/** A provider's parts for such a session, whose instruction files are in a folder. */
export function usualParts(folder: string, mode: () => ApprovalMode): InstructionParts {
  const workspace = { roots: () => [folder], isTrusted: () => true };
  const files = new MemoryFiles({ home: folder, geminiHome: folder, fileNames: () => [] });
  return {
    workspace: () => workspace,
    session: { mode, plansFolder: undefined },
    isInteractive: true,
    approvedPlan: () => undefined,
    hasHooks: () => false,
    tools: () => USUAL_FACTS.tools,
    model: () => 'gemini-3.8-flash',
    memory: new SessionMemory(files, () => workspace),
  };
}

/** What differs in other sessions: the tools follow from the mode, the trust and the host. */
export const IN_PLAN_MODE = { mode: 'plan', tools: [...PLANNING, ...EDITOR] } as const;
export const HEADLESS = { isInteractive: false, tools: ALL } as const;
export const HEADLESS_PLAN = { isInteractive: false, mode: 'plan', tools: PLANNING, plansFolder: undefined } as const;
export const UNTRUSTED = { isTrusted: false, tools: [...READING, ...EDITOR] } as const;
export const UNTRUSTED_HEADLESS = { isTrusted: false, isInteractive: false, tools: READING } as const;
