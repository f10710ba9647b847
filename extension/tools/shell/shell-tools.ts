import type { Tool } from '../../ports/tool.ts';
import {
  createListBackgroundProcessesTool,
  createReadBackgroundOutputTool,
  createStopBackgroundProcessTool,
} from './background-tools.ts';
import { createRunShellCommandTool, type ShellToolParts } from './run-shell-command.ts';

/** The tools that run commands for one session. */
export function createShellTools(parts: ShellToolParts): readonly Tool[] {
  return [
    createRunShellCommandTool(parts),
    createListBackgroundProcessesTool(parts.processes),
    createReadBackgroundOutputTool(parts.processes),
    createStopBackgroundProcessTool(parts.processes),
  ];
}
