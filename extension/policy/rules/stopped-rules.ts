import { sameItems } from '../../base/changed-list.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { Decision, PolicyRule } from '../policy-types.ts';
import { isShellTool } from './known-tools.ts';
import { isAnswer } from './rule-match.ts';
import { canMeet, type RuleReach, reachesAll, reachOf, widerNames } from './rule-reach.ts';
import { isForLackOfAnswer } from './shell-judge.ts';

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
  readonly priority: number;
  readonly group: RuleGroup;
  /** Whether it refuses calls only in modes that may refuse them anyway. */
  readonly isDenial: boolean;
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
  private lists = new Map<RuleGroup, readonly Entry[]>();
  private all: readonly Entry[] = [];
  /** The groups with a rule that is stopped, or that refuses something only in certain modes. */
  private noted = new Set<RuleGroup>();
  private readonly names = new Map<string, string>();

  /** Whether there is anything to say about a group. */
  isNoted(group: RuleGroup): boolean {
    return this.noted.has(group);
  }

  /** The first rule that always decides before each rule of the group. Empty if there is none for any of them. */
  stoppersOf(group: RuleGroup): readonly (Stopper | undefined)[] {
    const entries = this.lists.get(group) ?? NONE;
    return entries.every(({ stopper }) => stopper === undefined) ? NONE : entries.map(stopperOf);
  }

  /**
   * For each rule of the group that refuses calls only in plan mode or yolo mode: the next rule that does the same. Then
   * the first one is needless, and nothing changes without it. Empty if there is none for any of them.
   */
  needlessFor(group: RuleGroup): readonly (Stopper | undefined)[] {
    const entries = this.lists.get(group) ?? NONE;
    if (!entries.some(({ isDenial }) => isDenial) || this.countDenials() > FEW) return NONE;
    return entries.map((entry) => {
      const next = entry.isDenial ? nextDenial(entry, this.all) : undefined;
      return next && asStopper(next, entry.reach);
    });
  }

  /** Takes all rules, in the order in which files and tables are read. Pauses now and then. */
  *update(groups: readonly RuleGroup[]): Generator<undefined, void> {
    const { groups: before, lists, all: others, noted } = this;
    const { start, end } = sameItems(before, groups);
    if (start === before.length && start === groups.length) return;
    // If the update is left unfinished, the next one begins anew.
    Object.assign(this, { groups: [], lists: new Map(), all: [], noted: new Set() });
    let first = 0;
    for (let at = 0; at < start; at++) first += before[at]?.rules.length ?? 0;
    const removed = new Set<Entry>();
    for (const group of before.slice(start, before.length - end)) {
      for (const entry of lists.get(group) ?? NONE) removed.add(entry);
      lists.delete(group);
      noted.delete(group);
    }
    const added: Entry[] = [];
    for (const group of groups.slice(start, groups.length - end)) {
      const list = group.rules.map((rule) => entryOf(rule, group, this.names));
      lists.set(group, list);
      for (const entry of list) added.push(entry);
      if (lists.size % PAUSE_AFTER === 0) yield;
    }
    const all = [...others.slice(0, first), ...added, ...others.slice(first + removed.size)];
    for (let at = first; at < all.length; at++) {
      const entry = all[at];
      if (entry) entry.position = at;
    }
    const open =
      removed.size === 0 ? added : [...added, ...all.filter(({ stopper }) => stopper && removed.has(stopper))];
    const touched = new Set<RuleGroup>();
    yield* open.length > FEW ? compareAll(all, touched) : compareSome(all, added, open, touched);
    for (const group of touched) {
      const isNoted = lists.get(group)?.some(({ stopper, isDenial }) => stopper !== undefined || isDenial);
      if (isNoted) noted.add(group);
      else noted.delete(group);
    }
    Object.assign(this, { groups, lists, all, noted });
  }

  private countDenials(): number {
    let count = 0;
    for (const group of this.noted) count += (this.lists.get(group) ?? NONE).filter(({ isDenial }) => isDenial).length;
    return count;
  }
}

function entryOf(rule: PolicyRule, group: RuleGroup, names: Map<string, string>): Entry {
  const { priority } = rule;
  return {
    reach: reachOf(rule, names),
    priority,
    group,
    isDenial: isDenialOfMode(rule, group),
    position: 0,
    stopper: undefined,
  };
}

function stopperOf({ stopper, reach }: Entry): Stopper | undefined {
  return stopper && asStopper(stopper, reach);
}

const NONE: readonly never[] = [];

function asStopper({ group, reach }: Entry, stopped: RuleReach): Stopper {
  return { group, rule: reach.rule, isSame: isSame(reach, stopped) };
}

/** Up to so many rules are compared with each other one. For more, an index is worth its time. */
const FEW = 50;
const PAUSE_AFTER = 200;

/** Modes in which much is refused anyway, or nothing is asked. */
const OWN_MODES: readonly (ApprovalMode | undefined)[] = ['plan', 'yolo'];

function isDenialOfMode(rule: PolicyRule, { waitsWith }: RuleGroup): boolean {
  const { decision, modes = [], onlyTightens, argsPattern } = rule;
  if (decision !== 'deny' || onlyTightens || waitsWith !== undefined) return false;
  // A pattern also counts for commands that nobody knows before they run.
  return argsPattern === undefined && modes.length > 0 && modes.every((mode) => OWN_MODES.includes(mode));
}

function nextDenial(entry: Entry, all: readonly Entry[]): Entry | undefined {
  const after = all.filter((other) => byOrder(entry, other) < 0 && canMeet(entry.reach, other.reach)).sort(byOrder);
  for (const next of after) {
    const { reach, group } = next;
    const { rule } = reach;
    if (rule.decision !== 'deny') return undefined;
    // Where nobody can be asked, a command that only reads runs although the shipped rule refuses it.
    const isFinal = group.waitsWith === undefined && !rule.onlyTightens && !isForLackOfAnswer(rule);
    if (isFinal && reachesAll(reach, entry.reach)) return next;
  }
  return undefined;
}

function* compareSome(
  all: readonly Entry[],
  added: readonly Entry[],
  open: readonly Entry[],
  touched: Set<RuleGroup>,
): Generator<undefined, void> {
  for (const entry of open) {
    entry.stopper = undefined;
    touched.add(entry.group);
    for (const other of all) if (stops(other, entry)) entry.stopper = firstOf(entry.stopper, other);
    yield;
  }
  for (const entry of added) {
    for (const other of all) {
      if (!stops(entry, other)) continue;
      other.stopper = firstOf(other.stopper, entry);
      touched.add(other.group);
    }
    yield;
  }
}

function* compareAll(all: readonly Entry[], touched: Set<RuleGroup>): Generator<undefined, void> {
  const index = new RuleKeys();
  for (const [count, entry] of [...all].sort(byOrder).entries()) {
    entry.stopper = undefined;
    touched.add(entry.group);
    for (const other of index.find(entry)) if (stops(other, entry)) entry.stopper = firstOf(entry.stopper, other);
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
    const { rule, modes, annotations, beginning, pattern: written } = entry.reach;
    const { toolName, mcpName, subagent, decision, interactive, onlyTightens } = rule;
    const { waitsWith } = entry.group;
    const file = this.files.get(waitsWith) ?? this.files.size;
    this.files.set(waitsWith, file);
    this.names.add(toolName);
    this.servers.add(mcpName);
    this.subagents.add(subagent);
    this.annotations.add(annotations);
    const patterns = written !== undefined ? [`=${written}`, ...(beginning ? [`^${beginning.text}`] : [])] : [''];
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
    const { rule, annotations, texts, pattern: written } = reach;
    const { toolName, mcpName, subagent } = rule;
    const names = widerNames(toolName).filter((name) => this.names.has(name));
    const servers = [...new Set([undefined, mcpName, '*'])].filter((server) => this.servers.has(server));
    const subagents = [...new Set([undefined, subagent])].filter((name) => this.subagents.has(name));
    const noted = [...new Set([undefined, annotations])].filter((text) => this.annotations.has(text));
    const patterns = ['', ...(written !== undefined ? [`=${written}`] : []), ...beginningsOf(texts?.[0] ?? '')];
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
  return other.priority - one.priority || one.position - other.position;
}

function firstOf(one: Entry | undefined, other: Entry): Entry {
  return one && byOrder(one, other) < 0 ? one : other;
}

/** Asked for thousands of pairs after each keystroke: what rules out most of them comes first. */
function stops(one: Entry, other: Entry): boolean {
  return (
    byOrder(one, other) < 0 &&
    reachesAll(one.reach, other.reach) &&
    hasLastWord(one, other) &&
    restrictsAsMuch(one.reach.rule, other.reach.rule)
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
function restrictsAsMuch(one: PolicyRule, other: PolicyRule): boolean {
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
