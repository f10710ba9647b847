import * as l10n from '@vscode/l10n';
import { SHELL_TOOL } from '../../policy/rules/known-tools.ts';
import { parseTables } from '../../policy/rules/parse-tables.ts';
import type { PolicyPart } from '../../policy/rules/policy-part.ts';
import type { ReadPart } from '../../policy/rules/read-part.ts';
import type { RuleSet } from '../../policy/rules/rule-set.ts';
import { escapePattern } from '../../policy/rules/safe-pattern.ts';
import type { Span } from '../../text/text-range.ts';
import type { TomlBlock, TomlEntry } from '../../text/toml-syntax.ts';
import type { FoundProblem } from './found-problem.ts';

/** A change of a part of a text. */
export interface PartEdit extends Span {
  readonly newText: string;
}

/** A change that solves a problem, and leaves the meaning of everything else as it is. */
export interface PolicyFix {
  readonly title: string;
  /** Places count from the beginning of the part. */
  readonly edits: readonly PartEdit[];
  /** Whether it is what most people would do. */
  readonly isPreferred?: boolean;
}

/** What is wrong, and where in its part. */
export type PartProblem = Span & Pick<FoundProblem, 'kind' | 'path' | 'instead'>;

/** The ways to solve a problem of a part of a policy file, the likeliest first. */
export function policyFixes(problem: PartProblem, part: PolicyPart): readonly PolicyFix[] {
  return new PartFixes(part, problem).all();
}

export function changedBy(edits: readonly PartEdit[], text: string): string {
  return edits.reduceRight((rest, { start, end, newText }) => rest.slice(0, start) + newText + rest.slice(end), text);
}

/**
 * Whether only this part of a file has changed. In a broken text, a small change can close a text or a list that takes
 * in other tables.
 */
export function changesOnly(index: number, before: readonly ReadPart[], after: readonly ReadPart[]): boolean {
  const following = before.length - index - 1;
  if (after.length < index + following) return false;
  const others = [...before.slice(0, index), ...before.slice(index + 1)];
  const same = [...after.slice(0, index), ...after.slice(after.length - following)];
  return others.every((part, at) => saysTheSame(part, same[at]));
}

function saysTheSame(part: ReadPart, other: ReadPart | undefined): boolean {
  if (!other) return false;
  return (part.original ?? part) === (other.original ?? other) || meaningOf(part) === meaningOf(other);
}

function meaningOf({ rules, checkers }: RuleSet): string {
  const all = [...rules, ...checkers];
  return JSON.stringify(all.map(({ source: _, argsPattern, ...rest }) => [rest, argsPattern?.source]));
}

class PartFixes {
  private readonly values: Readonly<Record<string, unknown>>;
  /** The statements of the table. Undefined if it is a value of a list. */
  private readonly block: TomlBlock | undefined;
  private readonly isToml: boolean;
  private readonly eol: string;

  constructor(
    private readonly part: PolicyPart,
    private readonly problem: PartProblem,
  ) {
    const { tables, faults } = parseTables(part);
    const [table] = tables;
    this.values = table?.values ?? {};
    this.isToml = ![...faults, ...(table?.damage ?? [])].some(({ kind }) => kind === 'toml_parse');
    this.block = part.header === undefined ? undefined : part.blocks[1];
    this.eol = part.text.includes('\r\n') ? '\r\n' : '\n';
  }

  all(): readonly PolicyFix[] {
    const { instead, start, end } = this.problem;
    const title = l10n.t('Change to {0}', instead ?? '');
    const replaced =
      instead === undefined ? [] : [{ title, edits: [{ start, end, newText: instead }], isPreferred: true }];
    return [...replaced, ...this.others()];
  }

  private others(): readonly PolicyFix[] {
    const { kind, path = [] } = this.problem;
    const key = path.length === 0 ? '' : String(path[0]);
    // Where a text or list has no end, removing what is after it would make it longer.
    if (this.part.looksAhead || (!this.isToml && kind !== 'toml_parse')) return [];
    switch (kind) {
      case 'unreachable_rule':
      case 'duplicate_rule':
        return path.length > 1 ? this.withoutItem(path) : this.withoutTable();
      case 'needless_rule':
      case 'not_supported':
        return this.withoutTable();
      case 'unknown_key':
        return this.without([key]);
      case 'no_effect':
        return key === 'toolName' || key === 'commandPrefix' ? this.withoutTable() : this.without([key]);
      case 'schema_validation':
        return this.added(key);
      case 'rule_validation':
        return this.combined(key);
      case 'regex_compilation':
        return this.asText(key);
      case 'toml_parse':
        return this.syntax();
      default:
        return [];
    }
  }

  /** Removes the table, but no comment around it, which may be about other tables as well. */
  private withoutTable(): readonly PolicyFix[] {
    const { part } = this;
    if (part.kind === undefined) return [];
    const title = part.kind === 'rule' ? l10n.t('Remove this rule') : l10n.t('Remove this checker');
    const end = this.lineEnd(this.lastStatement());
    // The blank line belongs to the table, as it does between others.
    const blank = /^[ \t]*\r?\n/.exec(part.text.slice(end))?.[0].length ?? 0;
    return [{ title, edits: [{ start: 0, end: end + blank, newText: '' }] }];
  }

  private lastStatement(): number {
    const ends = this.part.blocks.flatMap(({ header, entries, broken }) => [header, ...entries, ...broken]);
    return Math.max(...ends.map((span) => span?.end ?? 0));
  }

  private without(keys: readonly string[], title = l10n.t('Remove "{0}"', keys.join('", "'))): readonly PolicyFix[] {
    const edits = this.removals(keys);
    return edits.length === 0 ? [] : [{ title, edits }];
  }

  private removals(keys: readonly string[]): readonly PartEdit[] {
    const entries = (this.block?.entries ?? []).filter(({ names }) => keys.includes(names[0]?.text ?? ''));
    return entries.map(({ start, end }) => ({ start: this.lineStart(start), end: this.lineEnd(end), newText: '' }));
  }

  /** Removes a value from a list, with its line if it has one of its own. */
  private withoutItem([key, index]: readonly PropertyKey[]): readonly PolicyFix[] {
    const { text } = this.part;
    const items = this.entryOf(String(key))?.value?.items ?? [];
    const at = Number(index);
    const [before, item, after] = [items[at - 1], items[at], items[at + 1]];
    if (!item || items.length === 1) return this.withoutTable();
    const title = l10n.t('Remove {0}', text.slice(item.start, item.end));
    const [lineStart, lineEnd] = [this.lineStart(item.start), this.lineEnd(item.end)];
    const isAlone =
      /^\s*$/.test(text.slice(lineStart, item.start)) &&
      /^\s*,?[ \t]*(#[^\n]*)?\s*$/.test(text.slice(item.end, lineEnd));
    if (isAlone) return [{ title, edits: [{ start: lineStart, end: lineEnd, newText: '' }] }];
    const [start, end] = after ? [item.start, after.start] : [before?.end ?? item.start, item.end];
    return [{ title, edits: [{ start, end, newText: '' }] }];
  }

  /** Adds a key that is missing, with the value that holds until it is there. */
  private added(key: string): readonly PolicyFix[] {
    const { block } = this;
    const { header } = this.part;
    if (!block || !header || key === '' || key in this.values || this.entryOf(key)) return [];
    const value = this.missingValue(key);
    if (value === undefined) return [];
    const line = `${key} = ${value}`;
    const after = this.lineEnd(block.entries.at(-1)?.end ?? header.end);
    const indent = this.part.text.slice(this.lineStart(header.start), header.start);
    const begin = /\n$/.test(this.part.text.slice(0, after)) ? '' : this.eol;
    return [
      {
        title: l10n.t('Add {0}', line),
        edits: [{ start: after, end: after, newText: `${begin}${indent}${line}${this.eol}` }],
      },
    ];
  }

  private missingValue(key: string): string | undefined {
    const isForShell = 'commandPrefix' in this.values || 'commandRegex' in this.values;
    if (key === 'toolName') return isForShell ? `"${SHELL_TOOL}"` : undefined;
    if (key === 'decision') return '"ask_user"';
    return key === 'priority' ? String(USUAL_PRIORITY) : undefined;
  }

  /** Keys that can't be in one rule: each gets a rule, or only one of them stays. */
  private combined(key: string): readonly PolicyFix[] {
    const { values } = this;
    const tool = this.entryOf('toolName')?.value;
    if (tool && values['toolName'] !== SHELL_TOOL) {
      const newText = `"${SHELL_TOOL}"`;
      const { start, end } = tool;
      const title = l10n.t('Change {0} to {1}', 'toolName', newText);
      return [
        { title, edits: [{ start, end, newText }] },
        ...this.without(COMMAND_KEYS.filter((one) => one in values)),
      ];
    }
    const there = PATTERN_KEYS.filter((one) => this.entryOf(one));
    if (there.length < 2 || !there.includes(key)) return [];
    const kept = there.map((one) =>
      this.without(
        there.filter((other) => other !== one),
        l10n.t('Keep only "{0}"', one),
      ),
    );
    return [...(values['decision'] === 'allow' ? [] : this.split(there)), ...kept.flat()];
  }

  /** What a rule refuses or asks about is the same in two rules. One that allows would allow more than anybody meant. */
  private split(keys: readonly string[]): readonly PolicyFix[] {
    const { text } = this.part;
    const end = this.lineEnd(this.lastStatement());
    const rules = keys.map((key) => {
      return changedBy(this.removals(keys.filter((other) => other !== key)), text.slice(0, end));
    });
    const newText = rules.map((rule) => `${rule.trimEnd()}${this.eol}`).join(this.eol);
    return [{ title: l10n.t('Make a rule for each of them'), edits: [{ start: 0, end, newText }], isPreferred: true }];
  }

  /** A pattern that is invalid may be meant as a text. */
  private asText(key: string): readonly PolicyFix[] {
    const value = this.values[key];
    const place = this.entryOf(key)?.value;
    if (!place || typeof value !== 'string' || isPattern(value)) return [];
    const newText = tomlText(escapePattern(value));
    const { start, end } = place;
    return [{ title: l10n.t('Change to {0}', newText), edits: [{ start, end, newText }] }];
  }

  private syntax(): readonly PolicyFix[] {
    const { start, path, instead } = this.problem;
    const line = this.lineStart(start);
    if (instead !== undefined) return [];
    const entry = this.block?.entries.find((one) => one.start <= start && start <= one.end);
    if (entry && path) {
      const { text = '' } = entry.names[0] ?? {};
      const end = this.lineEnd(entry.end);
      return [{ title: l10n.t('Remove "{0}"', text), edits: [{ start: line, end, newText: '' }] }];
    }
    const isStray =
      !entry?.afterEquals &&
      this.part.blocks.some(({ entries, broken }) => [...entries, ...broken].some((span) => span.start === start));
    const isInLine = this.part.text.slice(line, start).trim() !== '';
    // Comments can't have control characters either.
    if (!isStray || /(?!\t)\p{Cc}/u.test(this.part.text.slice(start, this.lineEnd(start)).trimEnd())) return [];
    return [{ title: l10n.t('Make this a comment'), edits: [{ start, end: start, newText: isInLine ? ' # ' : '# ' }] }];
  }

  private entryOf(key: string): TomlEntry | undefined {
    return this.block?.entries.find(({ names }) => names.length === 1 && names[0]?.text === key);
  }

  private lineStart(offset: number): number {
    return this.part.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** After the end of the line. */
  private lineEnd(offset: number): number {
    const end = this.part.text.indexOf('\n', offset);
    return end === -1 ? this.part.text.length : end + 1;
  }
}

const PATTERN_KEYS = ['argsPattern', 'commandPrefix', 'commandRegex'];
const COMMAND_KEYS = ['commandPrefix', 'commandRegex'];

/** As in the examples of Gemini CLI. */
const USUAL_PRIORITY = 100;

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Single quotes keep backslashes as they are. */
function tomlText(text: string): string {
  return /^[^'\p{Cc}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}
