import * as l10n from '@vscode/l10n';
import type { SessionRecord } from '../session-record.ts';

/** Why the work of a session is unfinished. */
export interface SessionStop {
  /** `waits`: a question waits for an answer. */
  readonly kind: 'waits' | 'stopped';
  /** A short text for the user. */
  readonly why: string;
}

type EndReason = Extract<SessionRecord, { type: 'run_ended' }>['reason'];

/** Undefined for runs that the user stopped or that completed. */
function endText(reason: EndReason): string | undefined {
  switch (reason) {
    case 'failed':
      return l10n.t('it ended with an error');
    case 'max_turns':
      return l10n.t('its turn limit was reached');
    case 'max_budget':
      return l10n.t('its cost limit was reached');
    case 'max_time':
      return l10n.t('its time limit was reached');
    case 'refusal':
      return l10n.t('the model declined');
    default:
      return undefined;
  }
}

/** Derives the state of a session from its records. */
export class StopFinder {
  private isRunning = false;
  private why: string | undefined;
  private problem: string | undefined;
  private readonly asked = new Set<string>();

  add(record: SessionRecord): void {
    switch (record.type) {
      case 'sent':
      case 'run_started':
        this.begin();
        break;
      case 'asked':
        this.asked.add(record.requestId);
        break;
      case 'answered':
        this.asked.delete(record.requestId);
        break;
      case 'problem':
        if (record.fatal) this.problem = record.problem.title;
        break;
      case 'run_ended':
        this.isRunning = false;
        this.asked.clear();
        this.why = (record.reason === 'failed' ? this.problem : undefined) ?? endText(record.reason);
        break;
      case 'rewind':
        if (record.what !== 'files') this.why = undefined;
        break;
    }
  }

  get stop(): SessionStop | undefined {
    if (this.isRunning && this.asked.size > 0) return { kind: 'waits', why: l10n.t('an approval is pending') };
    const why = this.isRunning ? l10n.t('its window was closed') : this.why;
    return why === undefined ? undefined : { kind: 'stopped', why };
  }

  private begin(): void {
    this.isRunning = true;
    this.why = undefined;
    this.problem = undefined;
    this.asked.clear();
  }
}
