import { join } from 'node:path';
import { onceEach } from '../../base/once.ts';
import { AuditReader } from '../../policy/audit/read-audit.ts';
import { RecentCalls } from '../../policy/audit/recent-calls.ts';
import { RuleUses, USE_DAYS } from '../../policy/audit/rule-uses.ts';
import type { Workspace } from '../workspace.ts';

const SINCE_MS = USE_DAYS * 24 * 60 * 60 * 1000;
/** Somebody who types asks for code lenses several times a second, and calls of the agent take longer. */
const BETWEEN_LOOKS_MS = 2000;

/**
 * What the audit log says about rules and calls, as far as it has been read. Nobody waits for it: a log can be long, and
 * what it says is news when it is there.
 */
export class AuditKnowledge {
  uses = new RuleUses();
  calls = new RecentCalls();
  private readonly reader: AuditReader;
  private looking: Promise<void> | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly workspace: Workspace) {
    this.reader = new AuditReader(
      join(workspace.options.gantryHome, 'audit.jsonl'),
      (line) => {
        this.uses.add(line);
        this.calls.add(line);
      },
      () => {
        this.uses = new RuleUses();
        this.calls = new RecentCalls();
      },
      () => Date.now() - SINCE_MS,
    );
  }

  /** Begins to read what is new, unless that was done just now. In Restricted Mode, the log isn't read. */
  look(): void {
    const now = performance.now();
    if (this.looking || !this.workspace.isTrusted || now - this.lookedAt < BETWEEN_LOOKS_MS) return;
    this.lookedAt = now;
    this.looking = this.reader
      .look()
      .then((isNew) => {
        if (isNew) this.workspace.open.lensesChanged();
      })
      // Without the log, there are no counts.
      .catch(() => undefined)
      .finally(() => {
        this.looking = undefined;
      });
  }
}

export const auditKnowledge = onceEach((workspace: Workspace) => new AuditKnowledge(workspace));
