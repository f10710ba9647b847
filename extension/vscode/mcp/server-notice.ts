import { isAbsolute } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ServerTool } from '../../mcp/connection-types.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import type { ConfiguredServer } from '../../mcp/server-catalog.ts';
import { visible } from '../base/escape-ui-text.ts';
import { Commands } from '../names.ts';
import type { FilePlace, SlashNotice } from '../suggestions/slash-command.ts';
import { originText, stateText } from './server-texts.ts';

/** Each server with how it is doing and where it is defined, then what is wrong with the files. */
export function serversNotice(
  { statuses, problems }: Pick<McpServers, 'statuses' | 'problems'>,
  shownPath: (path: string) => string,
): SlashNotice {
  const servers = statuses.map((status) => ({
    name: status.name,
    value: `${stateText(status)} · ${originText(status.definition, shownPath)}`,
    ...placeOf(status.definition),
  }));
  const wrong = problems
    .filter(({ waits }) => !waits)
    .map(({ file, line, text }) => ({ name: `${shownPath(file)}:${line}`, value: text, file: { path: file, line } }));
  const actions = [{ label: l10n.t('Review MCP servers'), command: Commands.reviewMcpServers }];
  const waits = statuses.some(({ state }) => state.kind === 'waiting');
  if (servers.length > 0)
    return { title: l10n.t('MCP servers'), rows: [...servers, ...wrong], ...(waits && { actions }) };
  const how = {
    name: 'gantry.mcp.servers',
    value: l10n.t("Define servers here, in VS Code's mcp.json or in .gemini/settings.json"),
  };
  return { title: l10n.t('There are no MCP servers'), rows: [how, ...wrong] };
}

/** What a server can do, in its own words. */
export function toolsNotice(name: string, tools: readonly ServerTool[]): SlashNotice {
  const rows = tools.map((tool) => ({ name: tool.name, value: toolText(tool) }));
  return { title: l10n.t('Tools of the MCP server "{0}"', name), rows };
}

/** One line about a tool. */
export function toolText({ title = '', description = title }: ServerTool): string {
  return visible(description).replace(/\s+/g, ' ').slice(0, MAX_TOLD);
}

const MAX_TOLD = 300;

/** The setting has no file of its own. */
export function placeOf({ origin: { file, line } }: ConfiguredServer): { readonly file?: FilePlace } {
  return isAbsolute(file) ? { file: { path: file, line } } : {};
}
