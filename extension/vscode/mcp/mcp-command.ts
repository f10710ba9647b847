import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { McpServerStatus, McpServers } from '../../mcp/mcp-servers.ts';
import { nearestNames } from '../../text/nearest-names.ts';
import { Commands } from '../names.ts';
import type { SlashCommand, SlashNotice, SlashOutcome, SlashValue } from '../suggestions/slash-command.ts';
import { refusal } from '../suggestions/slash-command.ts';
import { actLabel, actsFor, SERVER_ACTS, type ServerAct } from './server-acts.ts';
import type { McpServerList } from './server-list.ts';
import { serverStateText, serversNotice, serverToolsNotice } from './server-texts.ts';

/** `/mcp`: lists the servers and manages them. */
export function mcpCommand(list: McpServerList): SlashCommand {
  return {
    name: 'mcp',
    hint: '[list | manage | review | tools | restart | disable | enable | signin | signout | open <name> | log]',
    description: l10n.t('Show the MCP servers and their state'),
    whileRunning: true,
    values: () => valuesOf(list.statuses),
    run: (argument) => run(list, argument),
  };
}

function valuesOf(statuses: readonly McpServerStatus[]): readonly SlashValue[] {
  return [
    { value: 'list', detail: l10n.t('Show all servers and their state') },
    { value: 'manage', detail: l10n.t('Choose from a list') },
    { value: 'review', detail: l10n.t('Servers of this folder that require approval') },
    { value: 'log', detail: l10n.t('Show the log') },
    ...statuses.flatMap((status) =>
      actsFor(status)
        .filter((act) => act !== 'review' && act !== 'log')
        .map((act) => ({ value: `${act} ${status.name}`, detail: `${actLabel(act)} · ${serverStateText(status)}` })),
    ),
  ];
}

async function run(list: McpServerList, argument: string): Promise<SlashOutcome> {
  const [, word = '', name = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
  if (word === 'log') return show(Commands.showLog);
  if (!vscode.workspace.isTrusted)
    return refusal(
      l10n.t('/{0} needs a trusted folder', 'mcp'),
      l10n.t('This folder is not trusted, so no MCP server runs in it.'),
    );
  if (word === 'manage') return show(Commands.mcpServers);
  if (word === 'review') return show(Commands.reviewMcpServers);
  const servers = await list.load();
  if (word === '' || word === 'list') return { notice: noticeOf(servers) };
  const act = SERVER_ACTS.find((each) => each === word);
  return act ? actOn(list, servers, act, name) : unknownWord(word);
}

async function actOn(list: McpServerList, servers: McpServers, act: ServerAct, name: string): Promise<SlashOutcome> {
  const { statuses } = servers;
  const status = statuses.find((each) => each.name === name) ?? (name === '' && statuses.length === 1 && statuses[0]);
  if (!status) return unknownServer(statuses, name);
  if (!actsFor(status).includes(act))
    return refusal(l10n.t('"{0}" was not changed', status.name), l10n.t('Its state: {0}.', serverStateText(status)));
  if (act === 'tools') return { notice: serverToolsNotice(status.name, servers.toolsOf(status.name)) };
  await list.act(act, status);
  return act === 'open' ? undefined : { notice: noticeOf(servers) };
}

function noticeOf(servers: McpServers): SlashNotice {
  return serversNotice(servers, (path) => vscode.workspace.asRelativePath(path));
}

function unknownServer(statuses: readonly McpServerStatus[], name: string): SlashOutcome {
  const names = statuses.map((each) => each.name);
  const near = nearestNames(name, names, 2);
  const known = (near.length > 0 ? near : names.slice(0, 10)).join(', ');
  return refusal(
    name === '' ? l10n.t('Which MCP server do you mean?') : l10n.t('There is no MCP server "{0}"', name),
    known === '' ? l10n.t('There are none.') : l10n.t('Use {0}.', known),
  );
}

function unknownWord(word: string): SlashOutcome {
  return refusal(
    l10n.t('/mcp has no subcommand "{0}"', word),
    l10n.t('Use {0}.', ['list', 'manage', 'review', ...SERVER_ACTS.filter((act) => act !== 'review')].join(', ')),
  );
}

/** Runs a command of the window, which reports its own problems. Does not wait for the UI of the command. */
function show(command: string): undefined {
  void vscode.commands.executeCommand(command);
  return undefined;
}
