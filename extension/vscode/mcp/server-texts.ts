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

/** Everything that the given servers would start or reach: this is what an approval covers. */
export function serversText(waiting: readonly ConfiguredServer[]): string {
  const intro = [
    l10n.t('This folder wants to use the following MCP servers. A program runs on your machine with your permissions.'),
    l10n.t('The servers that you select start now and in later sessions. Any change requires approval again.'),
  ];
  return [...intro, ...waiting.flatMap((server, index) => ['', ...serverLines(server, index + 1)]), ''].join('\n');
}

/** One line for a list. */
export function serverLabel({ name }: ConfiguredServer, number: number): string {
  return `${number}. ${oneLine(name)}`;
}

/** What is started or reached, in one line. */
export function serverTarget(reach: ServerReach): string {
  return oneLine(reach.kind === 'stdio' ? [reach.command, ...reach.args.map(quoted)].join(' ') : reach.url);
}

/** How a server is doing. */
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

/** Where a server is defined, in few words. */
export function originText(
  { origin: { file, line } }: ConfiguredServer,
  shownPath: (path: string) => string = (path) => path,
): string {
  return isSetting(file) ? l10n.t('the setting {0}', file) : oneLine(`${shownPath(file)}:${line}`);
}

/** Files have absolute paths. */
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

/** Each argument in a line of its own: what is one argument must not look like two. */
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

/** With their values: one of `NODE_OPTIONS` can be a program. */
function pairs(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => escaped(`${name}=${value}`));
}

function quoted(argument: string): string {
  return argument === '' || /\s/.test(argument) ? `"${argument}"` : argument;
}

/** In one line, with nothing in it that cannot be seen. */
function escaped(text: string): string {
  return visible(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/** For lists, which show no line ends. */
function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ');
}

/** Each server with how it is doing and where it is defined, then what is wrong with the files. */
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

/** What a server can do, in its own words. */
export function serverToolsNotice(name: string, tools: readonly ServerTool[]): SlashNotice {
  const rows = tools.map((tool) => ({ name: tool.name, value: toolText(tool) }));
  return { title: l10n.t('Tools of the MCP server "{0}"', name), rows };
}

/** One line about a tool. */
export function toolText({ title = '', description = title }: ServerTool): string {
  return visible(description).replace(/\s+/g, ' ').slice(0, MAX_TOLD);
}

const MAX_TOLD = 300;

/** The setting has no file of its own. */
export function serverFile({ origin: { file, line } }: ConfiguredServer): { readonly file?: FilePlace } {
  return isAbsolute(file) ? { file: { path: file, line } } : {};
}
