import * as l10n from '@vscode/l10n';
import { ChangedList } from '../../base/changed-list.ts';
import { once, onceEach } from '../../base/once.ts';
import type { RuleSource } from '../../policy/policy-types.ts';
import { hasUnknownChecker, inForce, isTaken } from '../../policy/rules/load-policies.ts';
import { type PolicyTable, parseTables } from '../../policy/rules/parse-tables.ts';
import type { PolicyFile } from '../../policy/rules/policy-folders.ts';
import { scanPolicyPart } from '../../policy/rules/policy-part.ts';
import type { ReadPart } from '../../policy/rules/read-part.ts';
import { lengthProblem } from '../../policy/rules/read-policy-file.ts';
import type { ReadFile } from '../../policy/rules/read-rules.ts';
import { ruleSentence } from '../../policy/rules/rule-sentence.ts';
import { type RuleGroup, StoppedRules, type Stopper } from '../../policy/rules/stopped-rules.ts';
import { LineIndex } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { type FoundProblem, MOST_RELATED, type RelatedRule } from './found-problem.ts';
import { type AllPolicies, knownPolicies } from './rules-in-order.ts';
import { isKnown, type NamesInReach, unknownNames } from './unknown-names.ts';

/** A part of a file. Its rules are compared with others; a file that isn't open is one part. */
interface ComparedPart {
  readonly part?: ReadPart;
  readonly group: RuleGroup | undefined;
  /** Whether everything that its rules name is known. */
  readonly isKnown: boolean;
  readonly isDamaged: boolean;
}

interface ComparedFile {
  readonly path: string;
  readonly parts: readonly ComparedPart[];
}

/** What the parts of a file depend on besides their texts. */
interface FileState {
  /** The file requires approval. */
  readonly waits: boolean;
  /** Its rules that allow something are off, because of a checker. */
  readonly isRestricted: boolean;
  readonly names: NamesInReach | undefined;
}

interface OpenParts extends ComparedFile, FileState {
  readonly list: ChangedList<ReadPart, ComparedPart>;
}

/** Where the rules of a group are. */
interface GroupPlace {
  readonly path: string;
  /** What to add to the lines of the rules. */
  readonly moved: number;
}

/** The tables of a part, with lines that count from its first. */
interface PartTables {
  readonly tables: readonly PolicyTable[];
  readonly lines: LineIndex;
}

/** Compares the rules of all files, and remembers what it found for as long as they stay the same. */
export class ComparedRules {
  private readonly together = new StoppedRules();
  /** In Restricted Mode, a file is compared with itself alone. */
  private readonly alone = new Map<string, StoppedRules>();
  private readonly open = new Map<string, OpenParts>();
  private readonly groups = new WeakMap<object, { readonly state: unknown; readonly group: RuleGroup }>();
  private readonly tables = new WeakMap<ReadPart, PartTables | undefined>();

  constructor(private readonly workspace: Workspace) {}

  /** The problems of a file that only a comparison of its rules with all others shows. Pauses now and then. */
  *problems(
    file: ConfigDocument,
    read: ReadFile,
    all: AllPolicies,
    names: NamesInReach | undefined,
  ): Generator<undefined, readonly FoundProblem[]> {
    const files = all.files.map((one) => this.partsOf(one, one === all.asked ? read : undefined, all, names));
    const groups: RuleGroup[] = [];
    for (const { parts } of files) for (const { group } of parts) if (group) groups.push(group);
    const stopped = this.workspace.isTrusted ? this.together : (this.alone.get(file.path) ?? new StoppedRules());
    if (stopped !== this.together) this.alone.set(file.path, stopped);
    yield* stopped.update(groups);
    const places = once(() => placesIn(files));
    const problems: FoundProblem[] = [];
    for (const { part, group = NO_RULES, isKnown: isAllKnown, isDamaged } of this.open.get(file.path)?.parts ?? []) {
      // What a rule does until it is repaired is not what it was written for.
      if (!part || isDamaged || (isAllKnown && !stopped.isNoted(group))) continue;
      const about = { file, part, group, places };
      if (names && !isAllKnown) problems.push(...this.nameProblems(about, names));
      problems.push(...this.stoppedProblems(about, stopped.stoppersOf(group)));
      problems.push(...this.needlessProblems(about, stopped.needlessFor(group)));
    }
    return problems;
  }

  /** An open file changes table by table, and any other one as a whole. */
  private partsOf(
    file: PolicyFile,
    asked: ReadFile | undefined,
    { acceptance }: AllPolicies,
    names: NamesInReach | undefined,
  ): ComparedFile {
    const policies = knownPolicies(this.workspace);
    const { path, tier, text } = file;
    const isOpen = this.workspace.open.textOf(path) !== undefined && lengthProblem(path, text) === undefined;
    const read = asked ?? (isOpen ? policies.readerOf(file).read(text) : undefined);
    if (!read) {
      const { rules } = policies.load(file, acceptance).read;
      const group = rules.length === 0 ? undefined : this.group(rules, undefined, () => ({ rules }));
      return { path, parts: [{ group, isKnown: true, isDamaged: false }] };
    }
    const waits = this.workspace.isTrusted && !isTaken(file, acceptance);
    const isRestricted = hasUnknownChecker(read, tier);
    const known = this.open.get(path);
    const isSame = known?.names === names && known?.waits === waits && known.isRestricted === isRestricted;
    const list = isSame ? known.list : this.listOf(file, { waits, isRestricted, names });
    const compared = { path, list, waits, isRestricted, names, parts: list.of(read.parts) };
    this.open.set(path, compared);
    return compared;
  }

  private listOf({ path, tier }: PolicyFile, { waits, isRestricted, names }: FileState): OpenParts['list'] {
    // Another object for each state, so that no group of another state is used.
    const state = { waitsWith: waits ? {} : undefined };
    return new ChangedList((part) => {
      const original = originalOf(part);
      const group = this.group(original, state, () => {
        const written = isRestricted ? original.rules.filter(({ decision }) => decision !== 'allow') : original.rules;
        return { ...inForce({ rules: written, checkers: [], problems: [] }, path, tier, true), ...state };
      });
      const named = [...part.rules, ...part.checkers];
      return {
        part,
        group: original.rules.length === 0 ? undefined : group,
        isKnown: names === undefined || named.every((rule) => isKnown(rule, names)),
        isDamaged: part.problems.some(({ severity }) => severity === 'error'),
      };
    });
  }

  private group(key: object, state: unknown, make: () => RuleGroup): RuleGroup {
    const known = this.groups.get(key);
    if (known && known.state === state) return known.group;
    const group = make();
    this.groups.set(key, { state, group });
    return group;
  }

  private nameProblems(about: About, names: NamesInReach): readonly FoundProblem[] {
    return (this.tablesOf(about)?.tables ?? []).flatMap((table) =>
      unknownNames(table, names).map((unknown) => ({ ...unknown, ...this.placeIn(about, table, unknown.path) })),
    );
  }

  private stoppedProblems(about: About, stoppers: readonly (Stopper | undefined)[]): readonly FoundProblem[] {
    if (stoppers.length === 0) return [];
    return tablesIn(about.group).flatMap(({ source, indexes }): readonly FoundProblem[] => {
      const stops = indexes.map((index) => stoppers[index]);
      const [first] = stops;
      if (!first || stops.includes(undefined)) return this.stoppedItems(about, source, stops);
      const isSame = stops.every((stop) => stop?.isSame);
      const place = this.placeText(first, about);
      const reason = isSame
        ? l10n.t('This rule changes nothing: {0} says the same, and always decides first.', place)
        : l10n.t('This rule never decides: {0} always decides first.', place);
      return [
        {
          kind: isSame ? 'duplicate_rule' : 'unreachable_rule',
          // A rule of another tier may be meant to decide first.
          severity: first.rule.source.tier === source.tier ? 'warning' : 'hint',
          reason,
          ...this.rangeOf(about, source, []),
          related: relatedTo(
            stops.flatMap((stop) => stop ?? []),
            about,
          ),
          isUnnecessary: true,
        },
      ];
    });
  }

  /** Names and prefixes of a rule that change nothing, although the rest of the rule does. */
  private stoppedItems(
    about: About,
    source: RuleSource,
    stops: readonly (Stopper | undefined)[],
  ): readonly FoundProblem[] {
    if (stops.every((stop) => stop === undefined)) return [];
    const values = this.tableOf(about, source)?.values ?? {};
    const lists = (['toolName', 'commandPrefix'] as const).map((key) => [values[key]].flat());
    const [names = [], prefixes = []] = lists;
    const width = stops.length / names.length;
    const paths = [
      ...names.map((_, at) => ({
        path: ['toolName', at],
        stops: stops.filter((__, index) => Math.floor(index / width) === at),
      })),
      ...(prefixes.length === width
        ? prefixes.map((_, at) => ({
            path: ['commandPrefix', at],
            stops: stops.filter((__, index) => index % width === at),
          }))
        : []),
    ];
    return paths.flatMap(({ path, stops: own }): readonly FoundProblem[] => {
      const [first] = own;
      if (!first || own.includes(undefined)) return [];
      const [key = '', at = 0] = path;
      const item = JSON.stringify([values[key]].flat()[Number(at)]);
      const isInside = first.rule.source === source;
      return [
        {
          kind: 'unreachable_rule',
          severity: isInside || first.rule.source.tier === source.tier ? 'warning' : 'hint',
          reason: isInside
            ? l10n.t('{0} changes nothing: another value of this rule matches the same calls.', item)
            : l10n.t('{0} never decides here: {1} always decides first.', item, this.placeText(first, about)),
          path,
          ...this.rangeOf(about, source, path),
          ...(!isInside && { related: relatedTo([first], about) }),
          isUnnecessary: true,
        },
      ];
    });
  }

  private needlessProblems(about: About, needless: readonly (Stopper | undefined)[]): readonly FoundProblem[] {
    if (needless.length === 0) return [];
    return tablesIn(about.group).flatMap(({ source, indexes }): readonly FoundProblem[] => {
      const others = indexes.map((index) => needless[index]);
      const [first] = others;
      if (!first || others.includes(undefined)) return [];
      const reason = l10n.t('This rule is needless: {0} refuses the same calls.', this.placeText(first, about));
      const related = relatedTo([first], about);
      return [
        {
          kind: 'needless_rule',
          severity: 'hint',
          reason,
          ...this.rangeOf(about, source, []),
          related,
          isUnnecessary: true,
        },
      ];
    });
  }

  private placeText(stopper: Stopper, { places }: About): string {
    const { path, line } = placeOf(stopper, places);
    return `${this.workspace.labelOf(path)}:${line}`;
  }

  private rangeOf(about: About, source: RuleSource, path: readonly PropertyKey[]): Place {
    const table = this.tableOf(about, source);
    if (table) return this.placeIn(about, table, path);
    return { line: (source.line ?? 1) + (about.places().get(about.group)?.moved ?? 0) };
  }

  private placeIn(about: About, table: PolicyTable, path: readonly PropertyKey[]): Place {
    const before = about.part.line - 1;
    const range = this.tablesOf(about)?.lines.rangeOf(table.placeOf(path));
    if (!range) return { line: before + 1 };
    return {
      line: range.line + before,
      range: { ...range, line: range.line + before, endLine: range.endLine + before },
    };
  }

  private tableOf(about: About, { line = 1 }: RuleSource): PolicyTable | undefined {
    const known = this.tablesOf(about);
    const inPart = line - originalOf(about.part).line + 1;
    return known?.tables.find(
      ({ kind, placeOf: find }) => kind === 'rule' && known.lines.rangeOf(find([])).line === inPart,
    );
  }

  /** Undefined if a part is continued elsewhere. */
  private tablesOf({ file, part }: About): PartTables | undefined {
    const original = originalOf(part);
    if (this.tables.has(original)) return this.tables.get(original);
    const scanned = scanPolicyPart(file.text, file.offsetAt({ line: part.line - 1, character: 0 }));
    const isWhole = scanned.length - (file.text.startsWith('\uFEFF') && part.line === 1 ? 1 : 0) === part.length;
    const found = isWhole ? { tables: parseTables(scanned).tables, lines: new LineIndex(scanned.text) } : undefined;
    this.tables.set(original, found);
    return found;
  }
}

export const comparedRules = onceEach((workspace: Workspace) => new ComparedRules(workspace));

type Place = Pick<FoundProblem, 'line' | 'range'>;

const NO_RULES: RuleGroup = { rules: [] };

interface About {
  readonly file: ConfigDocument;
  readonly part: ReadPart;
  readonly group: RuleGroup;
  readonly places: () => ReadonlyMap<RuleGroup, GroupPlace>;
}

function placesIn(files: readonly ComparedFile[]): ReadonlyMap<RuleGroup, GroupPlace> {
  const places = new Map<RuleGroup, GroupPlace>();
  for (const { path, parts } of files) {
    for (const { part, group } of parts) {
      if (part && group) places.set(group, { path, moved: part.line - originalOf(part).line });
    }
  }
  return places;
}

function originalOf(part: ReadPart): ReadPart {
  return part.original ?? part;
}

interface TableRules {
  readonly source: RuleSource;
  /** The rules of the table among those of the group. */
  readonly indexes: number[];
}

function tablesIn({ rules }: RuleGroup): readonly TableRules[] {
  const tables = new Map<RuleSource, TableRules>();
  for (const [index, { source }] of rules.entries()) {
    const known = tables.get(source) ?? { source, indexes: [] };
    known.indexes.push(index);
    tables.set(source, known);
  }
  return [...tables.values()];
}

function placeOf({ group, rule }: Stopper, places: About['places']): { readonly path: string; readonly line: number } {
  const { file: path = '', line = 1 } = rule.source;
  return { path, line: line + (places().get(group)?.moved ?? 0) };
}

function relatedTo(stoppers: readonly Stopper[], { places }: About): readonly RelatedRule[] {
  const related = new Map<string, RelatedRule>();
  for (const stopper of stoppers) {
    const place = placeOf(stopper, places);
    const text = ruleSentence([stopper.rule]) ?? l10n.t('This rule decides first.');
    related.set(`${place.path}:${place.line}`, { ...place, text });
  }
  return [...related.values()].slice(0, MOST_RELATED);
}
