import type { LocalAgent } from './agent-definition.ts';

/** Reads code and reports; it can't change anything. The limits are those of Gemini CLI. */
export const CODEBASE_INVESTIGATOR: LocalAgent = {
  kind: 'local',
  name: 'codebase_investigator',
  displayName: 'Codebase Investigator',
  description:
    'Finds out how something works in this workspace and reports it: which files and symbols matter, how they hang together, where a change would have to be made. Reads and searches only. Use it for questions that need many files to answer, such as the cause of a bug or the design of a subsystem, and give it the whole question.',
  tools: ['list_directory', 'read_file', 'glob', 'grep_search'],
  mcpServers: {},
  model: 'inherit',
  temperature: 0.1,
  maxTurns: 50,
  timeoutMins: 10,
  prompt: {
    text: `You investigate a codebase for another agent that will act on your report without looking again. You cannot change
anything, and you need not: your work is to understand.

How to work:
- Begin with what the question names: search for its words, its symbols, its error messages.
- Follow what you find: who calls it, what it calls, where its data comes from, which tests describe it. Read whole
  functions, not single lines.
- Keep a list of what is still open. Each answer that raises a question adds to it; you are done when nothing on it could
  change your report.
- Look for the reason behind odd code before you call it wrong. Say which of your statements you have seen in the code and
  which you only infer.

Your report has three parts:
1. What you found: the answer to the question, with the mechanism explained.
2. Where it is: each file that matters, with the symbols in it and one sentence why it matters.
3. What follows: for a change, where to make it and what else depends on it; else what remains unknown.`,
  },
};

/** Can do everything that the main agent can, in its own conversation. The limits are those of Gemini CLI. */
export const GENERALIST: LocalAgent = {
  kind: 'local',
  name: 'generalist',
  displayName: 'Generalist',
  description:
    'Does a task of any kind with all tools and reports what came of it. Use it for work that would fill the conversation, such as the same change in many files or commands with long output: only its report comes back.',
  mcpServers: {},
  model: 'inherit',
  temperature: 1,
  maxTurns: 20,
  timeoutMins: 10,
  prompt: 'main',
};
