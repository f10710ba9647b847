import * as l10n from '@vscode/l10n';
import { type Hover, MarkupKind } from 'vscode-languageserver-types';
import type { Tier } from '../../policy/policy-types.ts';
import { ruleSentence, tierTitle } from '../../policy/rules/rule-sentence.ts';
import { inFile, type Span } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { type Cursor, cursorAt } from './policy-cursor.ts';
import { keysOf } from './policy-keys.ts';
import type { WrittenTable } from './policy-syntax.ts';
import { aboutValue } from './policy-values.ts';
import { neighboursOf, type RuleNeighbours } from './rule-neighbours.ts';
import { knownPolicies, type RulesOfTable } from './rules-in-order.ts';

/** Says what is under the cursor: a rule, a key or a name. */
export async function policyHover(
  file: ConfigDocument,
  offset: number,
  tier: Tier,
  workspace: Workspace,
): Promise<Hover | undefined> {
  const cursor = cursorAt(file, offset);
  const found = cursor && (await textAbout(cursor, file, tier, workspace));
  if (!cursor || !found) return undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: found.paragraphs.join('\n\n') },
    range: file.rangeOf(inFile(cursor.table, found.span)),
  };
}

interface About {
  readonly paragraphs: readonly string[];
  readonly span: Span;
}

async function textAbout(
  cursor: Cursor,
  file: ConfigDocument,
  tier: Tier,
  workspace: Workspace,
): Promise<About | undefined> {
  const { table } = cursor;
  if (cursor.what === 'header') {
    return { paragraphs: await aboutTable(table, file, tier, workspace), span: cursor.span };
  }
  if (cursor.what !== 'key' && cursor.what !== 'value') return undefined;
  const text = keysOf(table.kind, cursor.path.slice(0, -1))[cursor.path.at(-1) ?? ''];
  if (!text) return undefined;
  if (cursor.what === 'key') return { paragraphs: [text.about()], span: cursor.span };
  const { span, text: value } = cursor;
  if (text.values === 'priority') {
    const neighbours = await neighboursOf(table, file, tier, workspace);
    return { paragraphs: [text.about(), ...(neighbours ? placeText(neighbours, tier, workspace) : [])], span };
  }
  const about = value === undefined ? undefined : await aboutValue(text.values, value, workspace);
  return about === undefined ? undefined : { paragraphs: [about], span };
}

async function aboutTable(
  table: WrittenTable,
  file: ConfigDocument,
  tier: Tier,
  workspace: Workspace,
): Promise<readonly string[]> {
  if (table.kind === 'safety_checker') {
    return [l10n.t('A safety checker looks at calls that the rules do not refuse. It can only restrict.')];
  }
  const { loaded } = await knownPolicies(workspace).file(file, tier);
  const waiting = loaded.file.waiting.filter(({ source }) => source.line === table.line);
  if (waiting.length > 0) {
    return [ruleSentence(waiting) ?? '', l10n.t('It is not in force until you have approved this file.')];
  }
  const neighbours = await neighboursOf(table, file, tier, workspace);
  if (!neighbours) return [l10n.t('This rule is not in force.')];
  return [ruleSentence(neighbours.own.rules) ?? '', ...placeText(neighbours, tier, workspace)];
}

/** The place of a rule in the order: its tier and priority, and the rules that are asked before and after it. */
function placeText({ own, before, after }: RuleNeighbours, tier: Tier, workspace: Workspace): readonly string[] {
  return [
    l10n.t('Priority **{0}**: {1}.', own.priority.toFixed(3), tierTitle(tier)),
    [
      before
        ? l10n.t('Asked before it: {0}', ruleLine(before, workspace))
        : l10n.t('No other rule about these calls is asked before it.'),
      after
        ? l10n.t('Asked after it: {0}', ruleLine(after, workspace))
        : l10n.t('No other rule about these calls is asked after it.'),
    ].join('  \n'),
  ];
}

function ruleLine({ path, line, priority, rules }: RulesOfTable, workspace: Workspace): string {
  return `${workspace.linkTo(path, line)} (${priority.toFixed(3)}). ${ruleSentence(rules) ?? ''}`;
}
