import { onlyLooks } from '../policy/gates.ts';
import { type Tool, type ToolResult, toolError } from '../tools/tool.ts';
import type { ConfirmationBroker } from './confirmation-broker.ts';
import type { ToolCall } from './scheduler.ts';

/** Decides whether a call may run, asking a person where one has to say yes. */
export class Approvals {
  constructor(
    private readonly broker: ConfirmationBroker,
    private readonly options: {
      /** Whether there is somebody to ask. */
      readonly interactive: boolean;
      /** One line about the call. */
      readonly describe: (call: ToolCall) => string;
      /** The id under which this call's question still waits from before a restart. */
      readonly waitingSince: (callId: string) => string | undefined;
    },
  ) {}

  needsAnswer(tool: Tool): boolean {
    return !onlyLooks(tool);
  }

  /** Undefined when it may run, else what the model is told instead. */
  async refusalOf(call: ToolCall, tool: Tool, signal: AbortSignal): Promise<ToolResult | undefined> {
    if (!this.needsAnswer(tool)) return undefined;
    if (!this.options.interactive) return toolError('policy_violation', nobodyToAsk(tool.name));
    const subject = this.options.describe(call);
    const question = {
      callId: call.id,
      title: `Allow ${tool.displayName}?`,
      message: subject === '' ? `Gantry wants to use ${tool.displayName}.` : `${tool.displayName}: ${subject}`,
      schema: ONCE,
    };
    const answer = await this.broker.ask(question, signal, this.options.waitingSince(call.id));
    if (answer.action === 'accept') return undefined;
    return answer.action === 'cancel' ? cancelled() : toolError('rejected', 'The user did not allow this call.');
  }
}

export function cancelled(): ToolResult {
  return toolError('cancelled', 'Cancelled: the user stopped this before it finished.');
}

/** The only yes there is so far. */
const ONCE = {
  type: 'object',
  properties: { decision: { type: 'string', enum: ['once'] } },
  required: ['decision'],
} as const;

function nobodyToAsk(name: string): string {
  return `${name} needs the user's yes, and there is nobody to ask on the command line. Use the panel in VS Code for it.`;
}
