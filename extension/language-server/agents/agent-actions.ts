import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CodeAction, Range, TextEdit } from 'vscode-languageserver-types';
import type { AgentProblem } from '../../agents/agent-definition.ts';
import { KNOWN_TOOLS } from '../../policy/rules/known-tools.ts';
import { namesLike } from '../../text/nearest-names.ts';
import { inFile } from '../../text/text-range.ts';
import { type ConfigDocument, toLspRange } from '../config-document.ts';
import { quickFix } from '../diagnostics.ts';
import { entriesIn, type Matter, matterOf, nodeAtPath } from '../front-matter/matter.ts';
import { MatterEdits } from '../front-matter/matter-edits.ts';
import { yamlText } from '../front-matter/matter-help.ts';
import type { YamlPath } from '../front-matter/yaml-cursor.ts';
import { hasFreeKeys, isRequiredKey, keysIn, schemasFor } from '../front-matter/yaml-schema.ts';
import { agentsIn } from './agent-problems.ts';
import { agentSchemasOf } from './agent-texts.ts';

/** What repairs the problems at a place. */
export function agentActions(file: ConfigDocument, range: Range): readonly CodeAction[] {
  const matter = matterOf(file);
  if (!matter) return file.text.trim() === '' || isIn(range, 0) ? begun(file) : [];
  if (!matter.root || !matter.isWhole) return [];
  const fixes = new AgentFixes(file, matter);
  const problems = agentsIn(file)
    .problems.filter((problem) => problem.range && touches(toLspRange(problem.range), range))
    .slice(0, MAX_REPAIRED);
  const actions = [...problems.flatMap((problem) => fixes.of(problem)), ...fixes.ofIgnoredKeys(range)];
  return actions.filter(({ title }, at) => actions.findIndex((other) => other.title === title) === at);
}

/** More is no choice any longer. */
const MAX_REPAIRED = 20;

/** The front matter that every definition needs. */
function begun(file: ConfigDocument): readonly CodeAction[] {
  const start = { line: 0, character: 0 };
  const newText = `---\nname: ${nameFor(file)}\ndescription: ${DESCRIPTION()}\n---\n\n`;
  const [problem] = agentsIn(file).problems;
  return quickFix(file, l10n.t('Add front matter'), { range: { start, end: start }, newText }, problem);
}

const DESCRIPTION = (): string => l10n.t('What the agent is for');

function nameFor({ path }: ConfigDocument): string {
  return nameLike(basename(path, '.md')) || 'agent';
}

/** The nearest text that can be a name. */
function nameLike(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

class AgentFixes {
  private readonly edits: MatterEdits;
  /** The problem that is being repaired. */
  private problem: AgentProblem | undefined;

  constructor(
    private readonly file: ConfigDocument,
    private readonly matter: Matter,
  ) {
    this.edits = new MatterEdits(file, matter);
  }

  of(problem: AgentProblem): readonly CodeAction[] {
    this.problem = problem;
    const { key = '', range } = problem;
    const path = this.pathOf(key);
    const node = nodeAtPath(this.matter.root, path);
    if (!node) return this.missing(path);
    if (range && this.isUnknownKey(path)) return this.unknownKey(path);
    const last = path.at(-1);
    if (path.includes('tools') && typeof node.value === 'string') return this.unknownTool(path, node.value);
    if (last === 'name' && typeof node.value === 'string') return this.badName(path, node.value);
    if (last === 'agent_card_url') return this.cards(path, node.value);
    return isRequiredKey(this.schemasAround(path), String(last)) ? [] : this.removal(path);
  }

  /** Keys of servers and logins that have no effect. */
  ofIgnoredKeys(range: Range): readonly CodeAction[] {
    this.problem = undefined;
    const { root } = this.matter;
    const here = [...(root ? entriesIn(root) : [])].filter(({ entry }) =>
      touches(this.file.rangeOf(inFile(this.matter, entry.key)), range),
    );
    return here.slice(0, MAX_REPAIRED).flatMap(({ path }) => (this.isUnknownKey(path) ? this.unknownKey(path) : []));
  }

  /** The reader joins the steps of a path with dots. */
  private pathOf(key: string): YamlPath {
    const { root } = this.matter;
    const steps = key === '' ? [] : key.split('.');
    const isList = root?.kind === 'list';
    return steps.map((step, at) => {
      const isIndex = /^\d+$/.test(step) && (isList ? at === 0 : at > 0);
      return isIndex ? Number(step) : step;
    });
  }

  private schemasAround(path: YamlPath): ReturnType<typeof schemasFor> {
    const { root } = this.matter;
    return schemasFor(agentSchemasOf(root), path.slice(0, -1), root);
  }

  private isUnknownKey(path: YamlPath): boolean {
    const schemas = this.schemasAround(path);
    const last = path.at(-1);
    const keys = keysIn(schemas);
    return typeof last === 'string' && keys.size > 0 && !hasFreeKeys(schemas) && !keys.has(last);
  }

  private unknownKey(path: YamlPath): readonly CodeAction[] {
    const written = nodeAtPath(this.matter.root, path.slice(0, -1))?.entries.map(({ name }) => name) ?? [];
    const free = [...keysIn(this.schemasAround(path)).keys()].filter((key) => !written.includes(key));
    const like = namesLike(String(path.at(-1)), free, 2);
    const renamed = like.flatMap((key) => this.action(l10n.t('Change to "{0}"', key), this.edits.renameKey(path, key)));
    return [...renamed, ...this.removal(path)];
  }

  private unknownTool(path: YamlPath, name: string): readonly CodeAction[] {
    const like = namesLike(name, KNOWN_TOOLS, 2);
    const changed = like.flatMap((tool) =>
      this.action(l10n.t('Change to "{0}"', tool), this.edits.replaceValue(path, tool)),
    );
    return [...changed, ...this.removal(path)];
  }

  private badName(path: YamlPath, name: string): readonly CodeAction[] {
    const like = nameLike(name);
    return like === ''
      ? []
      : this.action(l10n.t('Change to "{0}"', like), this.edits.replaceValue(path, yamlText(like)));
  }

  private cards(path: YamlPath, url: unknown): readonly CodeAction[] {
    const json = [...path.slice(0, -1), 'agent_card_json'];
    if (!nodeAtPath(this.matter.root, json)) return [];
    // If the address is wrong, that is the problem, and not that there are two cards.
    const isAddress = typeof url === 'string' && URL.canParse(url);
    return [...this.removal(path), ...(isAddress ? this.removal(json) : [])];
  }

  private missing(path: YamlPath): readonly CodeAction[] {
    const key = String(path.at(-1));
    const value = this.valueOf(key);
    if (value === undefined) return [];
    return this.action(l10n.t('Add "{0}"', key), this.edits.add(path.slice(0, -1), `${key}: ${value}`));
  }

  /** A first value that the reader accepts. */
  private valueOf(key: string): string | undefined {
    if (key === 'name') return nameFor(this.file);
    if (key === 'description') return yamlText(DESCRIPTION());
    if (key === 'agent_card_url') return 'https://localhost/.well-known/agent-card.json';
    return ['token', 'username', 'password', 'value', 'key'].includes(key) ? `$${key.toUpperCase()}` : undefined;
  }

  private removal(path: YamlPath): readonly CodeAction[] {
    return this.action(l10n.t('Remove "{0}"', String(nameOf(path, this.matter))), this.edits.remove(path));
  }

  private action(title: string, edit: TextEdit | undefined): readonly CodeAction[] {
    return quickFix(this.file, title, edit, this.problem);
  }
}

function nameOf(path: YamlPath, { root }: Matter): unknown {
  const last = path.at(-1);
  return typeof last === 'number' ? nodeAtPath(root, path)?.value : last;
}

function isIn({ start }: Range, line: number): boolean {
  return start.line === line;
}

function touches(one: Range, other: Range): boolean {
  const isBefore = (a: Range, b: Range): boolean =>
    a.end.line < b.start.line || (a.end.line === b.start.line && a.end.character < b.start.character);
  return !isBefore(one, other) && !isBefore(other, one);
}
