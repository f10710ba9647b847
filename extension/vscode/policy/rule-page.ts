import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { PolicyRule, Verdict } from '../../policy/policy-types.ts';
import type { Explanation, RuleStep } from '../../policy/rules/explanation.ts';
import { tierTitle } from '../../policy/rules/rule-sentence.ts';
import type { CallToTry, TriedCall } from '../../runtime/knowledge/tried-call.ts';
import { visible } from '../base/escape-ui-text.ts';
import { ruleText } from './policy-texts.ts';

/** A part of a line that opens a place in a file. */
export interface PlaceLink {
  /** Counted from 0. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly file: string;
  /** Counted from 1. */
  readonly at: number;
}

export interface RulePage {
  readonly text: string;
  readonly links: readonly PlaceLink[];
  /** The lines with the rule that the page is about, counted from 0. */
  readonly marked?: readonly number[];
}

/** The rule that a decision is looked at for. */
export interface RuleInQuestion {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly priority: number;
  /** Whether it is in force. A rule of this folder may require approval. */
  readonly isInForce: boolean;
}

interface Row {
  readonly cells: readonly [priority: string, decision: string, place: string, note: string, text: string];
  readonly rule: PolicyRule;
}

/** The column with the place of the rule. */
const PLACE = 2;

/** All rules, in the order in which they are asked. */
export function allRulesPage(rules: readonly PolicyRule[]): RulePage {
  const page = new PageText();
  page.add(l10n.t('Rules are asked in this order. The first one that matches a call decides.'));
  const tiers = new Set(rules.map(({ source: { tier } }) => tier));
  for (const tier of tiers) {
    page.section(tierTitle(tier));
    page.table(rules.filter(({ source }) => source.tier === tier).map((rule) => rowOf(rule, noteOn(rule))));
  }
  return page.done();
}

/** The decision about a call, and how it came about. The rule in question is marked. */
export function explanationPage(call: CallToTry, tried: TriedCall, about?: RuleInQuestion): RulePage {
  const { ruling, explanation } = tried;
  const page = new PageText(about);
  const { command } = call.args;
  page.add(typeof command === 'string' ? command : `${call.name} ${JSON.stringify(call.args)}`);
  page.add('', decisionText(ruling), ...circumstancesText(call, tried));
  if (!explanation) {
    page.add('', l10n.t('The rules were not asked.'));
    return page.done();
  }
  addSteps(page, l10n.t('Rules for the call'), explanation.rules);
  for (const part of explanation.parts) {
    addSteps(page, l10n.t('Rules for `{0}`', oneLine(part.command)), part.rules);
  }
  addChecks(page, explanation, ruling);
  if (about && page.marked.length === 0) page.add('', whyNotAsked(about, explanation));
  return page.done();
}

function whyNotAsked({ file, line, priority, isInForce }: RuleInQuestion, { rules }: Explanation): string {
  const place = oneLine(`${basename(file)}:${line}`);
  if (!isInForce) return l10n.t('{0} is not in force until its file is approved.', place);
  const isTooLate = rules.some(({ rule, decides }) => decides && rule.priority >= priority);
  return isTooLate
    ? l10n.t('{0} is not asked: another rule decides before it.', place)
    : l10n.t('{0} is not asked: it is about other tools.', place);
}

/** For example "It requires approval. Commands require approval: no rule matches." */
export function decisionText({ decision, why, shown = why }: Verdict): string {
  const happens = {
    allow: l10n.t('It runs without asking.'),
    ask_user: l10n.t('It requires approval.'),
    deny: l10n.t('It is refused.'),
  }[decision];
  return `${happens} ${oneLine(shown)}`.trim();
}

function circumstancesText({ mode: chosen, interactive, unsaved }: CallToTry, tried: TriedCall): readonly string[] {
  const { mode, forbiddenBy, isTrusted, asksItself } = tried;
  return [
    ...(isTrusted ? [] : [l10n.t('The folder is not trusted.')]),
    modeText(tried, interactive),
    ...(forbiddenBy
      ? [l10n.t('The mode {0} is off: "{1}" in {2} forbids it.', chosen, forbiddenBy.key, oneLine(forbiddenBy.file))]
      : mode === chosen
        ? []
        : [l10n.t('The mode {0} is only available in trusted folders.', chosen)]),
    ...(asksItself ? [l10n.t('This tool always asks by itself. Rules can only refuse it.')] : []),
    ...(unsaved
      ? [l10n.t('{0} counts as it is in the editor. Save it to let its rules decide.', oneLine(basename(unsaved.path)))]
      : []),
  ];
}

function modeText({ mode }: TriedCall, interactive: boolean): string {
  return interactive
    ? l10n.t('Approval mode: {0}. Somebody can be asked.', mode)
    : l10n.t('Approval mode: {0}. Nobody can be asked.', mode);
}

function addSteps(page: PageText, title: string, steps: readonly RuleStep[]): void {
  page.section(title);
  page.table(steps.map((step) => rowOf(step.rule, stepText(step))));
  if (!steps.some(({ decides }) => decides)) page.add(`  ${l10n.t('No rule decides.')}`);
}

function addChecks(page: PageText, { judged, checks }: Explanation, ruling: Verdict): void {
  if (judged && judged.why !== ruling.why) {
    page.section(l10n.t('What the command does'));
    page.add(`  ${decisionText(judged)}`);
  }
  if (checks.length === 0) return;
  page.section(l10n.t('Safety checks'));
  page.table(checks.map(({ rule, decision, reason }) => rowOf({ ...rule, decision }, reason)));
}

function rowOf(rule: PolicyRule, note: string): Row {
  const { file, line, label } = rule.source;
  const place = oneLine(file === undefined ? label : `${basename(file)}${line === undefined ? '' : `:${line}`}`);
  return { rule, cells: [rule.priority.toFixed(3), rule.decision, place, note, oneLine(ruleText(rule))] };
}

function noteOn({ onlyTightens }: PolicyRule): string {
  return onlyTightens ? l10n.t('can only restrict') : '';
}

function stepText({ rule, mismatch, decides }: RuleStep): string {
  if (decides) return l10n.t('decides');
  return mismatch === undefined ? l10n.t('matches, and can only restrict') : whyNot(mismatch, rule);
}

function whyNot(
  mismatch: NonNullable<RuleStep['mismatch']>,
  { mcpName = '', subagent = '', interactive }: PolicyRule,
): string {
  switch (mismatch) {
    case 'tool':
      return l10n.t("doesn't match the tool");
    case 'server':
      return l10n.t("isn't a tool of {0}", mcpName);
    case 'subagent':
      return l10n.t('only for the agent {0}', subagent);
    case 'mode':
      return l10n.t('not in this mode');
    case 'interactive':
      return interactive ? l10n.t('only if somebody can be asked') : l10n.t('only if nobody can be asked');
    case 'saved answer':
      return l10n.t('settings turn saved answers off');
    case 'annotations':
      return l10n.t("doesn't match what the tool says about itself");
    case 'arguments':
      return l10n.t("doesn't match the arguments");
    case 'sandbox':
      return l10n.t('off, because the sandbox only lets commands read');
  }
}

/** A line of the page must stay one line, and show its characters in their order. */
function oneLine(text: string): string {
  return visible(text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' ⏎ '));
}

/** Collects lines and the links in them. */
class PageText {
  readonly marked: number[] = [];
  private readonly lines: string[] = [];
  private readonly links: PlaceLink[] = [];

  constructor(private readonly about?: Pick<RuleInQuestion, 'file' | 'line'>) {}

  add(...texts: readonly string[]): void {
    for (const text of texts) this.lines.push(...text.split('\n'));
  }

  section(title: string): void {
    this.add('', title);
  }

  table(rows: readonly Row[]): void {
    const columns = [0, 1, PLACE] as const;
    const widths = columns.map((column) => Math.max(...rows.map(({ cells }) => cells[column].length)));
    for (const { cells, rule } of rows) {
      const padded = columns.map((column) => cells[column].padEnd(widths[column] ?? 0));
      const start = 2 + padded.slice(0, PLACE).reduce((sum, cell) => sum + cell.length + 2, 0);
      const { file, line: at = 1 } = rule.source;
      const end = start + cells[PLACE].length;
      if (file !== undefined) this.links.push({ line: this.lines.length, start, end, file, at });
      const isMarked = this.about !== undefined && file === this.about.file && at === this.about.line;
      if (isMarked) this.marked.push(this.lines.length);
      // Not aligned, because editors beside others are narrow and wrap them.
      const texts = cells.slice(PLACE + 1).filter((cell) => cell !== '');
      this.add(`${isMarked ? '▸ ' : '  '}${padded.join('  ')}  ${texts.join(' · ')}`);
    }
  }

  done(): RulePage {
    return { text: `${this.lines.join('\n')}\n`, links: this.links, marked: this.marked };
  }
}
