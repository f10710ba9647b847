import type { Decision, PolicyRule } from '../policy-types.ts';
import { isShellTool } from './known-tools.ts';
import { isAnswer } from './rule-match.ts';
import { type RuleReach, reachesAll, reachOf, widerNames } from './rule-reach.ts';

/** Rules that come and go together, such as those of one table. */
export interface RuleGroup {
  readonly rules: readonly PolicyRule[];
  /** Identifies the file if it waits for approval: until then its rules only tighten, and those that allow are off. */
  readonly waitsWith?: object | undefined;
}

/** A rule that always decides before another one. */
export interface Stopper {
  readonly group: RuleGroup;
  readonly rule: PolicyRule;
  /** Whether both rules match the same calls and say the same. */
  readonly isSame: boolean;
}

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask_user: 1, deny: 2 };

/** A rule with its place in the order. */
interface Entry {
  readonly reach: RuleReach;
  readonly group: RuleGroup;
  /** Among all rules, in the order in which they were read. */
  position: number;
  stopper: Entry | undefined;
}

/**
 * Finds the rules that never decide, because another one always does first. If one of them were removed, nothing would
 * change. Remembers what it found, so that a changed table is compared with the others, and not each with each.
 */
export class StoppedRules {
  private groups: readonly RuleGroup[] = [];
  private entries = new Map<RuleGroup, readonly Entry[]>();

  /** The first rule that always decides before each rule of the group. */
  stoppersOf(group: RuleGroup): readonly (Stopper | undefined)[] {
    return (this.entries.get(group) ?? []).map(({ stopper, reach }) => {
      return stopper && { group: stopper.group, rule: stopper.reach.rule, isSame: isSame(stopper.reach, reach) };
    });
  }

  /** Takes all rules, in the order in which files and tables are read. Pauses now and then. */
  *update(groups: readonly RuleGroup[]): Generator<undefined, void> {
    const { groups: before, entries } = this;
    let [start, same] = [0, 0];
    const shorter = Math.min(before.length, groups.length);
    while (start < shorter && before[start] === groups[start]) start++;
    while (same < shorter - start && before.at(-same - 1) === groups.at(-same - 1)) same++;
    // If the update is left unfinished, the next one begins anew.
    [this.groups, this.entries] = [[], new Map()];
    const removed = new Set(entriesOf(before.slice(start, before.length - same), entries));
    for (const group of before.slice(start, before.length - same)) entries.delete(group);
    const added: Entry[] = [];
    for (const group of groups.slice(start, groups.length - same)) {
      const own = group.rules.map((rule) => ({ reach: reachOf(rule), group, position: 0, stopper: undefined }));
      entries.set(group, own);
      for (const entry of own) added.push(entry);
      if (entries.size % PAUSE_AFTER === 0) yield;
    }
    const all = entriesOf(groups, entries);
    for (const [position, entry] of all.entries()) entry.position = position;
    const open = [...added, ...all.filter(({ stopper }) => stopper && removed.has(stopper))];
    yield* open.length > FEW ? compareAll(all) : compareSome(all, added, open);
    [this.groups, this.entries] = [groups, entries];
  }
}

/** Up to so many rules are compared with each other one. For more, an index is worth its time. */
const FEW = 50;
const PAUSE_AFTER = 200;

function entriesOf(groups: readonly RuleGroup[], entries: ReadonlyMap<RuleGroup, readonly Entry[]>): readonly Entry[] {
  return groups.flatMap((group) => entries.get(group) ?? []);
}

function* compareSome(
  all: readonly Entry[],
  added: readonly Entry[],
  open: readonly Entry[],
): Generator<undefined, void> {
  for (const entry of open) {
    entry.stopper = firstOf(all.filter((other) => stops(other, entry)));
    yield;
  }
  for (const entry of added) {
    for (const other of all) {
      if (stops(entry, other)) other.stopper = firstOf(other.stopper ? [entry, other.stopper] : [entry]);
    }
    yield;
  }
}

function* compareAll(all: readonly Entry[]): Generator<undefined, void> {
  const index = new RuleKeys();
  for (const [count, entry] of [...all].sort(byOrder).entries()) {
    entry.stopper = firstOf(index.find(entry).filter((other) => stops(other, entry)));
    index.add(entry);
    if (count % PAUSE_AFTER === 0) yield;
  }
}

/** Finds the rules that could reach all calls of another one, without looking at the rest. */
class RuleKeys {
  private readonly byKey = new Map<string, Entry[]>();
  private readonly names = new Set<string>();
  private readonly subagents = new Set<string | undefined>([undefined]);
  private readonly servers = new Set<string | undefined>([undefined]);
  private readonly annotations = new Set<string | undefined>([undefined]);
  private readonly seen = new Set<string>();
  private readonly files = new Map<object | undefined, number>();

  add(entry: Entry): void {
    const { rule, modes, annotations, beginning } = entry.reach;
    const { toolName, mcpName, subagent, argsPattern, decision, interactive, onlyTightens } = rule;
    const { waitsWith } = entry.group;
    const file = this.files.get(waitsWith) ?? this.files.size;
    this.files.set(waitsWith, file);
    this.names.add(toolName);
    this.servers.add(mcpName);
    this.subagents.add(subagent);
    this.annotations.add(annotations);
    const patterns = argsPattern ? [`=${argsPattern.source}`, ...(beginning ? [`^${beginning.text}`] : [])] : [''];
    for (const pattern of patterns) {
      const key = keyOf(toolName, mcpName, subagent, annotations, pattern);
      // The first of several such rules stops whatever the others could.
      const parts = [toolName, mcpName, subagent, annotations, pattern, modes, decision, interactive, onlyTightens];
      const same = JSON.stringify([...parts, isAnswer(rule), file]);
      if (this.seen.has(same)) continue;
      this.seen.add(same);
      const known = this.byKey.get(key);
      if (known) known.push(entry);
      else this.byKey.set(key, [entry]);
    }
  }

  find({ reach }: Entry): readonly Entry[] {
    const { rule, annotations, texts } = reach;
    const { toolName, mcpName, subagent, argsPattern } = rule;
    const names = widerNames(toolName).filter((name) => this.names.has(name));
    const servers = [...new Set([undefined, mcpName, '*'])].filter((server) => this.servers.has(server));
    const subagents = [...new Set([undefined, subagent])].filter((name) => this.subagents.has(name));
    const noted = [...new Set([undefined, annotations])].filter((text) => this.annotations.has(text));
    const patterns = ['', ...(argsPattern ? [`=${argsPattern.source}`] : []), ...beginningsOf(texts?.[0] ?? '')];
    return names.flatMap((name) =>
      servers.flatMap((server) =>
        subagents.flatMap((agent) =>
          noted.flatMap((text) =>
            patterns.flatMap((pattern) => this.byKey.get(keyOf(name, server, agent, text, pattern)) ?? []),
          ),
        ),
      ),
    );
  }
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '').join('\n');
}

/** The texts of all prefixes that could match such a command. */
function beginningsOf(text: string): readonly string[] {
  return [...text.matchAll(/[ "\\]/g)].map(({ index }) => `^${text.slice(0, index)}`);
}

function byOrder(one: Entry, other: Entry): number {
  return other.reach.rule.priority - one.reach.rule.priority || one.position - other.position;
}

function firstOf(entries: readonly Entry[]): Entry | undefined {
  return entries.reduce<Entry | undefined>(
    (first, entry) => (first && byOrder(first, entry) < 0 ? first : entry),
    undefined,
  );
}

function stops(one: Entry, other: Entry): boolean {
  return (
    byOrder(one, other) < 0 &&
    hasLastWord(one, other) &&
    restrictsAsMuch(one, other) &&
    reachesAll(one.reach, other.reach)
  );
}

/** Whether the second rule can't change a decision about a call that both match, before and after files are approved. */
function hasLastWord(
  { reach: { rule: one }, group }: Entry,
  { reach: { rule: other }, group: otherGroup }: Entry,
): boolean {
  const isAsStrict = STRICTNESS[one.decision] >= STRICTNESS[other.decision];
  const isTogether = group.waitsWith === otherGroup.waitsWith;
  // A rule that only tightens doesn't end the search, and only another such rule is looked at in the same way.
  if (one.onlyTightens) return other.onlyTightens === true && isAsStrict && (isTogether || one.decision !== 'allow');
  if (group.waitsWith === undefined) return true;
  return isTogether ? isAsStrict : one.decision !== 'allow' && other.onlyTightens === true && isAsStrict;
}

/** A rule that restricts certain commands also counts for commands that nobody knows before they run. */
function restrictsAsMuch({ reach: { rule: one } }: Entry, { reach: { rule: other } }: Entry): boolean {
  if (other.decision === 'allow' || other.argsPattern === undefined) return true;
  if (!other.toolName.endsWith('*') && !isShellTool(other.toolName)) return true;
  return (
    one.argsPattern !== undefined && one.decision !== 'allow' && STRICTNESS[one.decision] >= STRICTNESS[other.decision]
  );
}

function isSame(one: RuleReach, other: RuleReach): boolean {
  const [left, right] = [one.rule, other.rule];
  return (
    left.decision === right.decision &&
    left.allowRedirection === right.allowRedirection &&
    left.denyMessage === right.denyMessage &&
    reachesAll(other, one)
  );
}
