import * as l10n from '@vscode/l10n';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { KNOWN_MODELS, MODEL_CHOICES } from '../../model/catalog/model-names.ts';
import { qualifiedName } from '../../policy/rules/known-tools.ts';
import { describedTool, describedTools, toolSummary } from '../../tools/described-tools.ts';
import { type Matter, nodeAtPath } from '../front-matter/matter.ts';
import type { MatterValue, MatterVocabulary } from '../front-matter/matter-help.ts';
import type { YamlPath } from '../front-matter/yaml-cursor.ts';
import type { Workspace } from '../workspace.ts';
import { agentSchemasOf } from './agent-texts.ts';
import { variableKind } from './agent-variables.ts';

const { Function: tool, Module: module, Value: plain, Constant: model, Variable: variable } = CompletionItemKind;

/** What can be written into the front matter of an agent, and what it means. */
export const agentVocabulary: MatterVocabulary = {
  schemas: agentSchemasOf,
  values: async (key, path, matter, workspace) => valuesOf(key, path, matter, workspace),
  about: async (key, value) => (key === 'tools' ? aboutTool(value) : key === 'model' ? aboutModel(value) : undefined),
};

function valuesOf(key: string, path: YamlPath, matter: Matter, workspace: Workspace): readonly MatterValue[] {
  if (key === 'tools') return toolValues(matter);
  if (key === 'model') return modelValues();
  if (key === 'auth.scheme') return ['Bearer', 'Basic'].map((text) => ({ text, kind: plain }));
  if (variableKind(path) === undefined) return [];
  return workspace.options.variables.map((name) => ({ text: `$${name}`, kind: variable }));
}

function toolValues(matter: Matter): readonly MatterValue[] {
  const own = nodeAtPath(matter.root, ['mcp_servers'])?.entries.map(({ name }) => name) ?? [];
  return [
    ...describedTools().map((one) => ({
      text: one.name,
      kind: tool,
      detail: one.displayName,
      about: toolSummary(one),
    })),
    ...own.map((name) => ({
      text: qualifiedName(name, '*'),
      kind: module,
      detail: l10n.t('every tool of the MCP server {0}', name),
    })),
    { text: 'mcp_*', kind: module, detail: l10n.t('every tool of every MCP server') },
    { text: '*', kind: plain, detail: l10n.t('every tool') },
  ];
}

function modelValues(): readonly MatterValue[] {
  const inherited = { text: 'inherit', kind: plain, detail: l10n.t('the model of the conversation') };
  const choices = [...MODEL_CHOICES].map(([text, id]) => ({ text, kind: plain, detail: id }));
  return [inherited, ...choices, ...KNOWN_MODELS.map((text) => ({ text, kind: model }))];
}

function aboutTool(name: string): string | undefined {
  const known = describedTool(name);
  return known && `**${known.displayName}** \`${name}\`\n\n${toolSummary(known)}`;
}

function aboutModel(name: string): string | undefined {
  if (name === 'inherit') return l10n.t('The agent uses the model of the conversation.');
  const id = MODEL_CHOICES.get(name);
  return id === undefined ? undefined : l10n.t('`{0}` is `{1}` at present.', name, id);
}
