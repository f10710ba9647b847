import { isAbsolute } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ServerTool } from '../../mcp/connection-types.ts';
import type { McpServerStatus, McpServers } from '../../mcp/mcp-servers.ts';
import type { ConfiguredServer } from '../../mcp/server-catalog.ts';
import type { ServerReach } from '../../mcp/server-definition.ts';
import { visible } from '../base/escape-ui-text.ts';
import { clauseText } from '../consent/sandbox-texts.ts';
import { Commands } from '../names.ts';
import type { FilePlace, SlashNotice } from '../suggestions/slash-command.ts';

/** The full commands and addresses of the servers: an approval covers this text. */
export function serversText(waiting: readonly ConfiguredServer[]): string {
  const intro = [
    l10n.t('This folder wants to use the following MCP servers. A program runs on your machine with your permissions.'),
    l10n.t('The servers that you select start now and in later sessions. Any change requires approval again.'),
  ];
  return [...intro, ...waiting.flatMap((server, index) => ['', ...serverLines(server, index + 1)]), ''].join('\n');
}

/** The label of a server in a list. */
export function serverLabel({ name }: ConfiguredServer, number: number): string {
  return `${number}. ${oneLine(name)}`;
}

/** The command or address of a server, in one line. */
export function serverTarget(reach: ServerReach): string {
  return oneLine(reach.kind === 'stdio' ? [reach.command, ...reach.args.map(quoted)].join(' ') : reach.url);
}

/** Describes the state of a server. */
export function serverStateText({ state, tools, prompts, resources }: McpServerStatus): string {
  switch (state.kind) {
    case 'ready':
      return offerText({ tools, prompts, resources });
    case 'starting':
      return l10n.t('starting');
    case 'needs-sign-in':
      return l10n.t('sign in');
    case 'waiting':
      return l10n.t('requires approval');
    case 'disabled':
      return l10n.t('off in this workspace');
    case 'stopped':
      return l10n.t('not started yet');
    case 'failed':
      return state.retries
        ? l10n.t('failed and will be retried: {0}', oneLine(state.reason))
        : l10n.t('failed: {0}', oneLine(state.reason));
  }
}

/** Describes briefly where a server is defined. */
export function originText(
  { origin: { file, line } }: ConfiguredServer,
  shownPath: (path: string) => string = (path) => path,
): string {
  return isSetting(file) ? l10n.t('the setting {0}', file) : oneLine(`${shownPath(file)}:${line}`);
}

/** Whether a definition comes from a setting. Files have absolute paths. */
export function isSetting(file: string): boolean {
  return /^[\w.]+$/.test(file);
}

function offerText({ tools, prompts, resources }: Pick<McpServerStatus, 'tools' | 'prompts' | 'resources'>): string {
  const offers = [
    tools === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', tools),
    ...(prompts === 0 ? [] : [prompts === 1 ? l10n.t('1 prompt') : l10n.t('{0} prompts', prompts)]),
    ...(resources === 0 ? [] : [resources === 1 ? l10n.t('1 resource') : l10n.t('{0} resources', resources)]),
  ];
  return offers.join(', ');
}

function serverLines(server: ConfiguredServer, number: number): string[] {
  const { extension } = server.origin;
  const from = [
    serverLabel(server, number),
    `   ${l10n.t('from {0}', originText(server))}`,
    ...(extension === undefined ? [] : [`   ${l10n.t('of the extension {0}', extension)}`]),
  ];
  const { reach, sandbox, origin } = server;
  if (reach.kind !== 'stdio') return [...from, ...addressLines(reach)];
  const held = origin.scope === 'project' ? [`   ${escaped(clauseText(sandbox))}`] : [];
  return [...from, ...held, ...programLines(reach)];
}

/** Writes each argument on its own line, so that one argument cannot look like two. */
function programLines({ command, args, env, cwd }: Extract<ServerReach, { kind: 'stdio' }>): string[] {
  return [
    ...(cwd === undefined ? [] : [`   ${l10n.t('in the folder {0}', escaped(cwd))}`]),
    ...pairs(env).map((pair) => `   ${l10n.t('with {0}', pair)}`),
    '',
    `      ${escaped(command)}`,
    ...args.map((argument) => `        ${escaped(quoted(argument))}`),
  ];
}

function addressLines({ url, headers }: Extract<ServerReach, { url: string }>): string[] {
  return [...pairs(headers).map((pair) => `   ${l10n.t('with {0}', pair)}`), '', `      ${escaped(url)}`];
}

/** Includes the values, because a value such as that of `NODE_OPTIONS` can run a program. */
function pairs(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => escaped(`${name}=${value}`));
}

function quoted(argument: string): string {
  return argument === '' || /\s/.test(argument) ? `"${argument}"` : argument;
}

/** Puts text on one line, with hidden characters written out. */
function escaped(text: string): string {
  return visible(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/** Puts text on one line for lists, which do not show line breaks. */
function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ');
}

/** Lists each server with its state and origin, then the problems in the files. */
export function serversNotice(
  { statuses, problems }: Pick<McpServers, 'statuses' | 'problems'>,
  shownPath: (path: string) => string,
): SlashNotice {
  const servers = statuses.map((status) => ({
    name: status.name,
    value: `${serverStateText(status)} · ${originText(status.definition, shownPath)}`,
    ...serverFile(status.definition),
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

/** Lists the tools of a server with the server's own descriptions. */
export function serverToolsNotice(name: string, tools: readonly ServerTool[]): SlashNotice {
  const rows = tools.map((tool) => ({ name: tool.name, value: toolText(tool) }));
  return { title: l10n.t('Tools of the MCP server "{0}"', name), rows };
}

/** The description of a tool, in one line. */
export function toolText({ title = '', description = title }: ServerTool): string {
  return visible(description).replace(/\s+/g, ' ').slice(0, MAX_TOLD);
}

const MAX_TOLD = 300;

/** A server that is defined in the setting has no file. */
export function serverFile({ origin: { file, line } }: ConfiguredServer): { readonly file?: FilePlace } {
  return isAbsolute(file) ? { file: { path: file, line } } : {};
}
