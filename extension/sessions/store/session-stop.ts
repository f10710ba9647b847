import * as l10n from '@vscode/l10n';
import type { SessionRecord } from '../session-record.ts';

/** Where the work of a session was left, when it was not done. */
export interface SessionStop {
  /** `waits`: somebody has been asked something. */
  readonly kind: 'waits' | 'stopped';
  /** In a few words. */
  readonly why: string;
}

type EndReason = Extract<SessionRecord, { type: 'run_ended' }>['reason'];

/** What the user stopped, and what was finished, needs no word. */
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

/** Follows the records of a session to where it was left. */
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
