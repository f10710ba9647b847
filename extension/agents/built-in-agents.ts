import type { LocalAgent } from './agent-definition.ts';
import investigator from './codebase-investigator.md';

/** Reads code and reports; it can't change anything. The limits are those of Gemini CLI. */
export const CODEBASE_INVESTIGATOR: LocalAgent = {
  kind: 'local',
  name: 'codebase_investigator',
  displayName: 'Codebase Investigator',
  description:
    'Finds out how something works in this workspace: the cause of a bug, the design of a part, what a change would affect. Only reads and searches. Reports the answer with files and symbols. Use it for questions that take many files to answer, not to look up one symbol or file.',
  tools: ['list_directory', 'read_file', 'glob', 'grep_search'],
  mcpServers: {},
  model: 'inherit',
  // Google advises against lower values for Gemini 3, which then tends to repeat itself.
  temperature: 1,
  maxTurns: 50,
  timeoutMins: 10,
  prompt: { text: investigator.trim() },
};

/** Can do everything that the main agent can, in its own conversation. The limits are those of Gemini CLI. */
export const GENERALIST: LocalAgent = {
  kind: 'local',
  name: 'generalist',
  displayName: 'Generalist',
  description:
    'Does any task with all your tools and reports the result. Use it for work that would fill the conversation, such as the same change in many files or commands with long output. Not for work that you need to follow step by step.',
  mcpServers: {},
  model: 'inherit',
  temperature: 1,
  maxTurns: 20,
  timeoutMins: 10,
  prompt: 'main',
};
