import * as z from 'zod';
import { once } from '../../base/once.ts';
import { extensionLabel } from '../../ports/extension-folder.ts';
import { type Tool, type ToolContext, type ToolResult, toolError } from '../../ports/tool.ts';
import { nearestNames } from '../../text/nearest-names.ts';
import { oneLine } from '../../text/one-line.ts';
import text from './invoke-agent.md';

export interface OfferedAgent {
  readonly name: string;
  readonly description: string;
  /** The name of the extension that contains the agent. */
  readonly extension?: string;
}

/** The agents to which a session can delegate tasks. */
export interface AgentsPort {
  available(): readonly OfferedAgent[];
  /** Whether the agent can't change anything with the tools that it would have. */
  onlyReads(name: string): boolean;
  /** Whether the user has to be asked about the call, whatever the rules say. */
  needsConsent?(name: string): boolean;
  /** What the question about a call says about the agent, or why a call can't work. Undefined if there is nothing. */
  introduce?(name: string, context: AgentCallContext): Promise<AgentIntroduction | undefined>;
  /** Stops when the signal of the context is aborted. */
  run(name: string, prompt: string, context: AgentCallContext): Promise<ToolResult>;
}

export type AgentCallContext = Pick<ToolContext, 'callId' | 'signal'>;

export type AgentIntroduction = { readonly text: string } | { readonly failed: ToolResult };

const parameters = once(() =>
  z.strictObject({
    agent_name: z.string().min(1).max(200).describe('Name of the agent, from the list in the description.'),
    prompt: z
      .string()
      .refine((prompt) => prompt.trim() !== '', { error: 'must not be empty' })
      .describe('The whole task: goal, what is known, read or change, what to report, how to check.'),
  }),
);

/** A limit, because a long description costs tokens with every request. */
const LONGEST_DESCRIPTION = 800;

/** Delegates a task to another agent, which works in its own session, and returns its report. */
export function createInvokeAgentTool(agents: AgentsPort): Tool<ReturnType<typeof parameters>> {
  return {
    name: 'invoke_agent',
    displayName: 'Invoke Agent',
    kind: 'agent',
    // A getter, because agents change with their files.
    get description() {
      const list = agents.available().map(({ name, description }) => `- ${name}: ${cut(description)}`);
      return `${text.trim()}\n\nAgents:\n${list.join('\n')}`;
    },
    get schema() {
      return parameters();
    },
    changesNothing: ({ agent_name: name }) => typeof name === 'string' && agents.onlyReads(name),
    describe: ({ prompt }) => (typeof prompt === 'string' ? oneLine(prompt, 200) : ''),
    consent: ({ agent_name: name }) => (typeof name === 'string' && agents.needsConsent?.(name) ? 'needed' : undefined),
    propose: async ({ agent_name: name, prompt }, context) => {
      const introduction = await agents.introduce?.(name, context);
      if (introduction && 'failed' in introduction) return introduction;
      const { extension } = agents.available().find((agent) => agent.name === name) ?? {};
      const whose = extension === undefined ? '' : ` (${extensionLabel(extension)})`;
      const about = introduction ? `${introduction.text}\n\n` : '';
      const text = `${about}${oneLine(name, 200)}${whose}: ${prompt}`;
      return { proposal: { kind: 'details', details: { type: 'info', text } } };
    },
    execute: ({ agent_name: name, prompt }, context) => {
      const names = agents.available().map((agent) => agent.name);
      if (names.includes(name)) return agents.run(name, prompt, context);
      const hint = nearestNames(name, names, 3).join(', ');
      return Promise.resolve(
        toolError('invalid_tool_params', `There is no agent named "${name}". Did you mean ${hint}?`),
      );
    },
  };
}

function cut(description: string): string {
  return oneLine(description, LONGEST_DESCRIPTION);
}
