import type { PolicyRule } from '../policy-types.ts';
import { ruleHash } from '../rules/rule-hash.ts';
import type { DecidedLine } from './read-audit.ts';

/** How often a rule decided. */
export interface RuleUse {
  readonly count: number;
  /** The last time, in milliseconds. */
  readonly last: number;
}

/** The line of a rule in the file on the disk, and when that file was written last. */
export interface RuleLine {
  readonly line: number;
  readonly writtenAt: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rules that matter decide at least once a month, and older habits say little. */
export const USE_DAYS = 30;

/** How often the rules of policy files decided in the last 30 days. */
export class RuleUses {
  /** By file and hash: the number of uses in each hour. */
  private readonly byHash = new Map<string, Map<number, number>>();
  /** By `file:line`: the times of entries that were written before entries had a hash. */
  private readonly byLine = new Map<string, number[]>();
  private readonly lastUses = new Map<string, number>();
  private first: number | undefined;

  /** The log may say more about a time that it has said something about. Its beginning may be missing. */
  add({ at, rule, ruleHash: hash }: Pick<DecidedLine, 'at' | 'rule' | 'ruleHash'>): void {
    this.first = Math.min(this.first ?? at, at);
    if (rule === undefined) return;
    if (hash === undefined) {
      const times = this.byLine.get(rule) ?? [];
      this.byLine.set(rule, times);
      times.push(at);
      return;
    }
    const key = keyOf(rule.replace(/:\d+$/, ''), hash);
    const hours = this.byHash.get(key) ?? new Map<number, number>();
    this.byHash.set(key, hours);
    const hour = Math.floor(at / HOUR_MS);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
    this.lastUses.set(key, Math.max(this.lastUses.get(key) ?? at, at));
  }

  /** The number of days that the log covers, at most 30. Undefined if it covers none. */
  daysUntil(now: number): number | undefined {
    if (this.first === undefined) return undefined;
    return Math.min(USE_DAYS, Math.max(1, Math.ceil((now - this.first) / DAY_MS)));
  }

  /** Whether there are entries about rules of this file that say only the line. */
  namesLinesOf(file: string): boolean {
    return [...this.byLine.keys()].some((key) => key.startsWith(`${file}:`));
  }

  /**
   * The uses of a rule of this file in the last 30 days. An entry without a hash says only the line, so it counts only
   * if the file was not written since: then the same rule is still there.
   */
  of(rule: PolicyRule, file: string, now: number, place?: RuleLine): RuleUse {
    const since = now - USE_DAYS * DAY_MS;
    const key = keyOf(file, ruleHash(rule));
    const hours = [...(this.byHash.get(key) ?? [])].filter(([hour]) => (hour + 1) * HOUR_MS > since);
    const atLine = place ? (this.byLine.get(`${file}:${place.line}`) ?? []) : [];
    const old = atLine.filter((at) => at >= since && at >= (place?.writtenAt ?? now));
    const count = hours.reduce((sum, [, uses]) => sum + uses, 0) + old.length;
    const last = Math.max(hours.length > 0 ? (this.lastUses.get(key) ?? 0) : 0, ...old);
    return { count, last };
  }
}

const HOUR_MS = 60 * 60 * 1000;

function keyOf(file: string, hash: string): string {
  return `${file}\0${hash}`;
}
