import * as l10n from '@vscode/l10n';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { inToolNames } from '../../mcp/tool-names.ts';
import { MODEL_CHOICES } from '../../model/catalog/model-names.ts';
import { qualifiedName } from '../../policy/rules/known-tools.ts';
import { JsonPlaces } from '../../text/json-with-comments.ts';
import { describedTool, toolSummary } from '../../tools/described-tools.ts';
import { definedTogether } from '../config-catalogs.ts';
import { type Matter, nodeAtPath } from '../front-matter/matter.ts';
import type { MatterValue, MatterVocabulary } from '../front-matter/matter-help.ts';
import type { YamlPath } from '../front-matter/yaml-cursor.ts';
import type { JsonDocument } from '../json/json-document.ts';
import { namedValues } from '../json/named-values.ts';
import type { Workspace } from '../workspace.ts';
import { agentSchemasOf } from './agent-texts.ts';
import { variableKind } from './agent-variables.ts';

/** What can be written into the front matter of an agent, and what it means. */
export const agentVocabulary: MatterVocabulary = {
  schemas: agentSchemasOf,
  values: async (key, path, matter, workspace) => valuesOf(key, path, matter, workspace),
  about: async (key, value) => (key === 'tools' ? aboutTool(value) : key === 'model' ? aboutModel(value) : undefined),
};

async function valuesOf(
  key: string,
  path: YamlPath,
  matter: Matter,
  workspace: Workspace,
): Promise<readonly MatterValue[]> {
  if (key === 'auth.scheme') return ['Bearer', 'Basic'].map((text) => ({ text, kind: CompletionItemKind.Value }));
  if (key === 'tools' || key === 'model') {
    const known = namedValues(key === 'tools' ? 'agent tool' : 'agent model', [], {
      json: NO_JSON,
      defined: await definedTogether(workspace),
    });
    return key === 'tools' ? [...known, ...ownServerTools(matter)] : known;
  }
  if (variableKind(path) === undefined) return [];
  return workspace.options.variables.map((name) => ({ text: `$${name}`, kind: CompletionItemKind.Variable }));
}

const NO_JSON: JsonDocument = { root: undefined, places: new JsonPlaces('', undefined), isValid: true };

/** The tools of servers that only this agent uses. */
function ownServerTools(matter: Matter): readonly MatterValue[] {
  const servers = nodeAtPath(matter.root, ['mcp_servers'])?.entries ?? [];
  return servers.map(({ name }) => ({
    text: qualifiedName(inToolNames(name), '*'),
    kind: CompletionItemKind.Module,
    detail: l10n.t('all tools of the MCP server {0}', name),
  }));
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
