import type { LocalAgent } from '../agent-definition.ts';

/** Does whatever the main agent could do, with a conversation of its own. Limits are those of Gemini CLI. */
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
