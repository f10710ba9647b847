import type { AgentEvent } from '../agent/agent-event.ts';
import type { Entry } from './transcript-entry.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
export type AgentWork = NonNullable<ToolEntry['agent']>;
type Step = AgentWork['steps'][number];

/** What a reader sees below the line of a subagent without opening its thread. */
const STEPS = 5;
const WORDS = 600;

/** What a subagent does, in its own thread, as the card of its call shows it. */
export class AgentThread {
  private name = '';
  private turns = 0;
  private maxTurns: number | undefined;
  private tokens = 0;
  private model: string | undefined;
  private words = '';
  private thoughts = '';
  private readonly steps = new Map<string, Step>();
  /** Questions of its own that wait for the user. */
  private readonly asking = new Set<string>();

  constructor(private readonly threadId: string) {}

  take(event: AgentEvent): void {
    switch (event.type) {
      case 'initialize':
        this.name = event.agentId;
        break;
      case 'agent_start':
        this.maxTurns = numberIn(event._meta, 'maxTurns') ?? this.maxTurns;
        break;
      case 'usage':
        this.turns++;
        this.tokens += (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
        this.model = event.model;
        break;
      case 'message':
        this.say(event);
        break;
      case 'tool_request':
        this.words = '';
        this.thoughts = '';
        this.steps.set(event.requestId, stepOf(event.requestId, event.name, event.display, 'running'));
        break;
      case 'tool_response':
        this.steps.set(
          event.requestId,
          stepOf(event.requestId, event.name, event.display, event.isError ? 'error' : 'success'),
        );
        break;
      case 'elicitation_request':
        this.asking.add(event.requestId);
        break;
      case 'elicitation_response':
        this.asking.delete(event.requestId);
        break;
      case 'agent_end':
        this.stopSteps();
        break;
    }
  }

  step(callId: string): Step | undefined {
    return this.steps.get(callId);
  }

  get work(): AgentWork {
    const steps = [...this.steps.values()];
    return {
      threadId: this.threadId,
      name: this.name,
      turns: this.turns,
      ...(this.maxTurns !== undefined && { maxTurns: this.maxTurns }),
      tokens: this.tokens,
      ...(this.model !== undefined && { model: this.model }),
      earlier: Math.max(0, steps.length - STEPS),
      steps: steps.slice(-STEPS),
      words: this.words,
      thoughts: this.thoughts,
      waits: this.asking.size > 0,
    };
  }

  /** What has no outcome at the end of a run was cut off with it. */
  private stopSteps(): void {
    for (const [id, step] of this.steps)
      if (step.status === 'running') this.steps.set(id, { ...step, status: 'cancelled' });
  }

  private say({ role, content }: Extract<AgentEvent, { type: 'message' }>): void {
    if (role !== 'agent') return;
    for (const part of content) {
      if (part.type === 'text') this.words = (this.words + part.text).slice(-WORDS);
      if (part.type === 'thought') this.thoughts = (this.thoughts + part.thought).slice(-WORDS);
    }
  }
}

function stepOf(
  id: string,
  name: string,
  display: Extract<AgentEvent, { type: 'tool_request' }>['display'],
  status: Step['status'],
): Step {
  return { id, name, subject: display?.description ?? '', summary: display?.resultSummary ?? '', status };
}

function numberIn(meta: Readonly<Record<string, unknown>> | undefined, key: string): number | undefined {
  const value = meta?.[key];
  return typeof value === 'number' ? value : undefined;
}
