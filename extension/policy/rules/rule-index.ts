import type { Circumstances } from '../policy-types.ts';
import { CandidateList, type Ranked, requiredText } from './candidate-list.ts';
import { isQualified, qualifiedName } from './known-tools.ts';
import { isAbout, type Matcher, type Subject } from './rule-match.ts';

const MAX_KEPT = 500;

type Indexed = Matcher & { readonly priority: number };

/** Rules by priority and tool name, so that a call is only compared with rules that may apply to it. */
export class RuleIndex<T extends Indexed> {
  private readonly byName = new Map<string, Ranked<T>[]>();
  /** Rules for more than one name. */
  private readonly wide: Ranked<T>[] = [];
  /** Cached, because sorting 500 rules for each call would take half of the time budget. */
  private readonly found = new Map<string, CandidateList<T>>();
  private readonly none = new CandidateList<T>([]);
  private readonly isEmpty: boolean;

  constructor(rules: readonly T[]) {
    this.isEmpty = rules.length === 0;
    // The sort is stable: among equal priorities, the rule that was read first applies.
    const sorted = [...rules].sort((a, b) => b.priority - a.priority);
    for (const [rank, rule] of sorted.entries()) {
      this.listFor(rule).push({ rule, rank, required: requiredText(rule.argsPattern) });
    }
  }

  /** The rules for such a call. Their arguments and annotations still have to be compared. */
  candidates(subject: Subject, circumstances: Circumstances): CandidateList<T> {
    if (this.isEmpty) return this.none;
    const key = keyOf(subject, circumstances);
    const known = this.found.get(key);
    if (known) return known;
    const about = this.find(subject).filter(({ rule }) => isAbout(rule, subject, circumstances));
    const candidates = new CandidateList(about);
    // The cache is limited because the names of agents and servers come from outside.
    if (this.found.size < MAX_KEPT) this.found.set(key, candidates);
    return candidates;
  }

  /** All rules that name the tool or more than one tool, in the order in which they apply. */
  naming(subject: Subject): readonly T[] {
    return [...this.find(subject)].sort((a, b) => a.rank - b.rank).map(({ rule }) => rule);
  }

  private find({ names, server }: Subject): readonly Ranked<T>[] {
    const qualified = server === undefined ? [] : names.map((name) => qualifiedName(server, name));
    const own = [...new Set([...names, ...qualified])].flatMap((name) => this.byName.get(name) ?? []);
    return [...own, ...this.wide];
  }

  private listFor({ toolName, mcpName }: T): Ranked<T>[] {
    const isForOne = !toolName.includes('*') && (mcpName === undefined || isQualified(toolName));
    if (!isForOne) return this.wide;
    const list = this.byName.get(toolName) ?? [];
    this.byName.set(toolName, list);
    return list;
  }
}

/** A cache key that differs wherever `isAbout` could give another result. */
function keyOf({ names, server, subagent }: Subject, { mode, interactive, ignoresAnswers }: Circumstances): string {
  const [name, ...others] = names;
  return others.length === 0 && server === undefined && subagent === undefined && !ignoresAnswers
    ? `${mode} ${interactive} ${name}`
    : JSON.stringify([names, server, subagent, mode, interactive, ignoresAnswers]);
}
