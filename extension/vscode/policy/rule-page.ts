import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { PolicyRule, Verdict } from '../../policy/policy-types.ts';
import type { Explanation, RuleStep } from '../../policy/rules/explanation.ts';
import { tierTitle } from '../../policy/rules/rule-sentence.ts';
import type { CallToTry } from '../../runtime/knowledge/tried-call.ts';
import type { ExplainedRuling } from '../../runtime/policy/session-policy.ts';
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
}

interface Row {
  readonly cells: readonly [priority: string, decision: string, place: string, note: string, text: string];
  readonly rule: PolicyRule;
}

/** The column with the place of the rule. */
const PLACE = 2;
const NOTE = 3;

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

/** The decision about a call, and how it came about. */
export function explanationPage(call: CallToTry, { ruling, explanation }: ExplainedRuling): RulePage {
  const page = new PageText();
  const { command } = call.args;
  page.add(typeof command === 'string' ? command : `${call.name} ${JSON.stringify(call.args)}`);
  page.add('', decisionText(ruling), circumstancesText(call));
  if (!explanation) {
    page.add('', l10n.t('The rules were not asked.'));
    return page.done();
  }
  addSteps(page, l10n.t('Rules for the call'), explanation.rules);
  for (const part of explanation.parts) {
    addSteps(page, l10n.t('Rules for `{0}`', oneLine(part.command)), part.rules);
  }
  addChecks(page, explanation, ruling);
  return page.done();
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

function circumstancesText({ mode, interactive }: CallToTry): string {
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
  private readonly lines: string[] = [];
  private readonly links: PlaceLink[] = [];

  add(...texts: readonly string[]): void {
    for (const text of texts) this.lines.push(...text.split('\n'));
  }

  section(title: string): void {
    this.add('', title);
  }

  table(rows: readonly Row[]): void {
    const columns = [0, 1, PLACE, NOTE] as const;
    const widths = columns.map((column) => Math.max(...rows.map(({ cells }) => cells[column].length)));
    for (const { cells, rule } of rows) {
      const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).filter((cell) => cell !== '');
      const start = 2 + padded.slice(0, PLACE).reduce((sum, cell) => sum + cell.length + 2, 0);
      const { file, line: at = 1 } = rule.source;
      const end = start + cells[PLACE].length;
      if (file !== undefined) this.links.push({ line: this.lines.length, start, end, file, at });
      this.add(`  ${padded.join('  ')}`);
    }
  }

  done(): RulePage {
    return { text: `${this.lines.join('\n')}\n`, links: this.links };
  }
}
