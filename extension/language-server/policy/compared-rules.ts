import * as l10n from '@vscode/l10n';
import { onceEach } from '../../base/once.ts';
import type { RuleSource } from '../../policy/policy-types.ts';
import { inForce, isTaken } from '../../policy/rules/load-policies.ts';
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
import type { FoundProblem, RelatedRule } from './found-problem.ts';
import { type AllPolicies, knownPolicies } from './rules-in-order.ts';
import { isKnown, type NamesInReach, unknownNames } from './unknown-names.ts';

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
  private readonly groups = new WeakMap<object, { readonly state: string; readonly group: RuleGroup }>();
  private readonly tables = new WeakMap<ReadPart, PartTables | undefined>();
  private readonly waiting = new Map<string, object>();

  constructor(private readonly workspace: Workspace) {}

  /** The problems of a file that only a comparison of its rules with all others shows. Pauses now and then. */
  *problems(
    file: ConfigDocument,
    read: ReadFile,
    all: AllPolicies,
    names: NamesInReach | undefined,
  ): Generator<undefined, readonly FoundProblem[]> {
    const places = new Map<RuleGroup, GroupPlace>();
    const groups = all.files.flatMap((one) => this.groupsOf(one, one === all.asked ? read : undefined, all, places));
    const stopped = this.workspace.isTrusted ? this.together : (this.alone.get(file.path) ?? new StoppedRules());
    if (stopped !== this.together) this.alone.set(file.path, stopped);
    yield* stopped.update(groups);
    return read.parts.flatMap((part) => {
      const group = this.groups.get(originalOf(part))?.group ?? NO_RULES;
      // What a rule does until it is repaired is not what it was written for.
      if (part.problems.some(({ severity }) => severity === 'error')) return [];
      const about = { file, part, group, places };
      const stoppers = stopped.stoppersOf(group);
      const needless = stopped.needlessFor(group);
      return [
        ...(names ? this.nameProblems(about, names) : []),
        ...(stoppers.length > 0 ? this.stoppedProblems(about, stoppers) : []),
        ...(needless.length > 0 ? this.needlessProblems(about, needless) : []),
      ];
    });
  }

  /** An open file changes table by table, and any other one as a whole. */
  private groupsOf(
    file: PolicyFile,
    asked: ReadFile | undefined,
    { acceptance }: AllPolicies,
    places: Map<RuleGroup, GroupPlace>,
  ): readonly RuleGroup[] {
    const policies = knownPolicies(this.workspace);
    const { path, tier, text } = file;
    const isOpen = this.workspace.open.textOf(path) !== undefined && lengthProblem(path, text) === undefined;
    const read = asked ?? (isOpen ? policies.readerOf(file).read(text) : undefined);
    if (!read) {
      const { rules } = policies.load(file, acceptance).read;
      return rules.length === 0 ? [] : [this.group(rules, '', () => ({ rules }))];
    }
    const waits = this.workspace.isTrusted && !isTaken(file, acceptance);
    const waitsWith = this.waiting.get(path) ?? {};
    this.waiting.set(path, waitsWith);
    const isRestricted = inForce({ ...read, rules: [] }, path, tier, true).checkers.length < read.checkers.length;
    return read.parts.flatMap((part) => {
      const original = originalOf(part);
      if (original.rules.length === 0) return [];
      const group = this.group(original, `${waits} ${isRestricted}`, () => {
        const written = isRestricted ? original.rules.filter(({ decision }) => decision !== 'allow') : original.rules;
        const { rules } = inForce({ rules: written, checkers: [], problems: [] }, path, tier, true);
        return { rules, ...(waits && { waitsWith }) };
      });
      places.set(group, { path, moved: part.line - original.line });
      return [group];
    });
  }

  private group(key: object, state: string, make: () => RuleGroup): RuleGroup {
    const known = this.groups.get(key);
    if (known?.state === state) return known.group;
    const group = make();
    this.groups.set(key, { state, group });
    return group;
  }

  private nameProblems(about: About, names: NamesInReach): readonly FoundProblem[] {
    const { rules, checkers } = about.part;
    if ([...rules, ...checkers].every((rule) => isKnown(rule, names))) return [];
    return (this.tablesOf(about)?.tables ?? []).flatMap((table) =>
      unknownNames(table, names).map((unknown) => ({ ...unknown, ...this.placeIn(about, table, unknown.path) })),
    );
  }

  private stoppedProblems(about: About, stoppers: readonly (Stopper | undefined)[]): readonly FoundProblem[] {
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
    return { line: (source.line ?? 1) + (about.places.get(about.group)?.moved ?? 0) };
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
  readonly places: ReadonlyMap<RuleGroup, GroupPlace>;
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
  return { path, line: line + (places.get(group)?.moved ?? 0) };
}

/** A longer list helps nobody. */
const MOST_RELATED = 3;

function relatedTo(stoppers: readonly Stopper[], { places }: About): readonly RelatedRule[] {
  const related = new Map<string, RelatedRule>();
  for (const stopper of stoppers) {
    const place = placeOf(stopper, places);
    const text = ruleSentence([stopper.rule]) ?? l10n.t('This rule decides first.');
    related.set(`${place.path}:${place.line}`, { ...place, text });
  }
  return [...related.values()].slice(0, MOST_RELATED);
}
