import type { Event } from '@google/adk';
import type { RecordOf, SessionRecord } from './session-record.ts';

/** The usage of a part of a conversation. */
export interface Totals {
  readonly turns: number;
  readonly tokens: number;
  readonly cost: number;
  /** The time that Gantry worked; waiting for a person doesn't count. */
  readonly milliseconds: number;
}

/** Adds up the records of a run, or of a session since its limits were extended. */
export class UsageMeter {
  private turns = 0;
  private tokens = 0;
  private cost = 0;
  private worked = 0;
  /** When the current work started; undefined while nothing runs or a question waits for the user. */
  private workingSince: number | undefined;
  /** Pending approvals of the session and of its subagents. */
  private readonly waitingFor = new Map<string, 'own' | 'agent'>();
  private lastRecordAt = '';

  totals(now: number): Totals {
    const { turns, tokens, cost, worked, workingSince } = this;
    return { turns, tokens, cost, milliseconds: worked + (workingSince === undefined ? 0 : now - workingSince) };
  }

  take(record: SessionRecord): void {
    this.takeIn(record);
    this.lastRecordAt = record.at;
  }

  private takeIn(record: SessionRecord): void {
    switch (record.type) {
      case 'run_started':
        this.waitingFor.clear();
        this.workingSince = Date.parse(record.at);
        return;
      case 'run_resumed':
        this.resume(record.at);
        return;
      case 'run_ended':
        this.pause(record.at);
        return;
      case 'asked':
        this.beginWaiting(record);
        return;
      case 'answered':
        this.endWaiting(record);
        return;
      case 'agent_waits':
        if (record.over) this.endWaiting(record);
        else this.beginWaiting(record);
        return;
      case 'event':
        this.takeEvent(record);
        return;
      case 'usage':
        this.tokens += (record.inputTokens ?? 0) + (record.outputTokens ?? 0);
        this.cost += record.cost?.amount ?? 0;
        return;
      default:
        return;
    }
  }

  private takeEvent({ event, cost }: RecordOf<'event'>): void {
    if (isModelTurn(event)) this.turns++;
    const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = event.usageMetadata ?? {};
    this.tokens += promptTokenCount + candidatesTokenCount + thoughtsTokenCount;
    this.cost += cost?.amount ?? 0;
  }

  private beginWaiting({ type, requestId, at }: RecordOf<'asked' | 'agent_waits'>): void {
    this.waitingFor.set(requestId, type === 'asked' ? 'own' : 'agent');
    this.pause(at);
  }

  private endWaiting({ requestId, at }: RecordOf<'answered' | 'agent_waits'>): void {
    if (this.waitingFor.delete(requestId) && this.waitingFor.size === 0) this.workingSince = Date.parse(at);
  }

  /** After a restart, approvals of subagents no longer exist, but the session's own are still pending. */
  private resume(at: string): void {
    const gone = [...this.waitingFor].flatMap(([requestId, asker]) => (asker === 'agent' ? requestId : []));
    for (const requestId of gone) this.waitingFor.delete(requestId);
    const goesOn = this.workingSince !== undefined || gone.length > 0;
    this.pause(this.lastRecordAt);
    if (goesOn && this.waitingFor.size === 0) this.workingSince = Date.parse(at);
  }

  private pause(at: string): void {
    if (this.workingSince !== undefined) this.worked += Date.parse(at) - this.workingSince;
    this.workingSince = undefined;
  }
}

/** Whether the event is the result of a model request: an answer or a failure. */
export function isModelTurn(event: Event): boolean {
  return !event.partial && (event.content?.role === 'model' || event.errorCode !== undefined);
}
