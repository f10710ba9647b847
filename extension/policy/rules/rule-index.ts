import { isQualified, qualifiedName } from './mcp-names.ts';
import type { Matcher, Subject } from './rule-match.ts';

interface Ranked<T> {
  readonly rule: T;
  readonly rank: number;
}

const MAX_KEPT = 500;

type Indexed = Matcher & { readonly priority: number };

/** Rules by priority, and by the name they are for, so that a call looks only at those that can concern it. */
export class RuleIndex<T extends Indexed> {
  private readonly byName = new Map<string, Ranked<T>[]>();
  /** For more than one name. */
  private readonly wide: Ranked<T>[] = [];
  /** Sorting 500 rules for each call would take half of the time there is. */
  private readonly found = new Map<string, readonly T[]>();

  constructor(rules: readonly T[]) {
    // The sort is stable: of equal priorities the one read first counts.
    const sorted = [...rules].sort((a, b) => b.priority - a.priority);
    for (const [rank, rule] of sorted.entries()) this.listFor(rule).push({ rule, rank });
  }

  /** Highest first. Whether they match is still to be seen. */
  candidates({ names, server }: Subject): readonly T[] {
    const key = JSON.stringify([names, server]);
    const known = this.found.get(key);
    if (known) return known;
    const candidates = this.find(names, server);
    // The names of agents and servers come from outside.
    if (this.found.size < MAX_KEPT) this.found.set(key, candidates);
    return candidates;
  }

  private find(names: readonly string[], server: string | undefined): readonly T[] {
    const qualified = server === undefined ? [] : names.map((name) => qualifiedName(server, name));
    const own = [...new Set([...names, ...qualified])].flatMap((name) => this.byName.get(name) ?? []);
    return [...own, ...this.wide].sort((a, b) => a.rank - b.rank).map(({ rule }) => rule);
  }

  private listFor({ toolName, mcpName }: T): Ranked<T>[] {
    const isForOne = !toolName.includes('*') && (mcpName === undefined || isQualified(toolName));
    if (!isForOne) return this.wide;
    const list = this.byName.get(toolName) ?? [];
    this.byName.set(toolName, list);
    return list;
  }
}
