import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { LocalAgent } from './agent-definition.ts';
import rules from './agent-rules.md';

export interface AgentSurroundings {
  /** The system instruction of the main agent. */
  readonly main: string;
  readonly roots: readonly string[];
  readonly mode: ApprovalMode;
  /** The values for `${…}` in a definition. */
  readonly values: Readonly<Record<string, string>>;
}

/** The system instruction of an agent. */
export function agentInstruction({ prompt }: LocalAgent, { main, roots, mode, values }: AgentSurroundings): string {
  const own = prompt === 'main' ? [main] : [filled(prompt.text, values), where(roots), mode === 'plan' ? PLAN : ''];
  return [...own, RULES].filter((section) => section !== '').join('\n\n');
}

/** Replaces known variables. Unknown ones stay, because definitions often contain shell variables. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\{(\w+)\}/g,
    (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : whole) ?? '',
  );
}

function where(roots: readonly string[]): string {
  return roots.length === 0 ? '' : `The workspace folders are:\n${roots.map((root) => `- ${root}`).join('\n')}`;
}

const PLAN = 'Plan mode is on: read and think, and change nothing.';

const RULES = rules.trim();
