import * as l10n from '@vscode/l10n';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { inToolNames } from '../../mcp/tool-names.ts';
import { qualifiedName } from '../../policy/rules/known-tools.ts';
import { ruleFields } from '../../policy/rules/table-fields.ts';
import { APPROVAL_MODES, isApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { aboutMode, modeTitle } from '../../protocol/words/mode-words.ts';
import { timeAgo } from '../../protocol/words/numbers.ts';
import { inlineCode, plainMarkdown } from '../../text/markdown-text.ts';
import { describedTool, describedTools, toolSummary } from '../../tools/described-tools.ts';
import { configuredServers, listedAgents } from '../config-catalogs.ts';
import { serverOfTool } from '../names.ts';
import type { Workspace } from '../workspace.ts';
import { auditKnowledge } from './audit-knowledge.ts';
import type { ValueKind } from './policy-keys.ts';

/** A value that a key can have. */
export interface KnownValue {
  readonly text: string;
  /** Beside the value, in a few words. */
  readonly detail?: string;
  /** In Markdown. */
  readonly about?: string;
  readonly kind: CompletionItemKind;
  /** It is a text, so it is written in quotes. */
  readonly isText: boolean;
}

/** What the other keys of a table say. */
export interface TableFacts {
  readonly tools: readonly string[];
  readonly server: string | undefined;
  /** Priorities that put the rule before or after those it competes with, with what they do. */
  readonly priorities: readonly (readonly [priority: number, about: string])[];
}

const {
  Function: tool,
  Module: module,
  Class: agent,
  EnumMember: member,
  Value: plain,
  Event: event,
} = CompletionItemKind;

/** The values to choose from, the most likely ones first. */
export async function knownValues(
  kind: ValueKind,
  facts: TableFacts,
  workspace: Workspace,
): Promise<readonly KnownValue[]> {
  switch (kind) {
    case 'tool':
      return facts.server === undefined ? toolValues(workspace) : toolsOfServer(facts.server, workspace);
    case 'server':
      return [...(await serverValues(workspace)), text('*', module, l10n.t('every MCP server'))];
    case 'agent':
      return agentValues(workspace);
    case 'command':
      return commandValues(workspace);
    case 'decision':
      return ruleFields()
        .shape.decision.unwrap()
        .options.map((one) => text(one, member, decisionText(one)));
    case 'mode':
      return APPROVAL_MODES.map((mode) => ({ ...text(mode, member, modeTitle(mode)), about: aboutMode(mode) }));
    case 'boolean':
      return ['true', 'false'].map((one) => ({ text: one, kind: plain, isText: false }));
    case 'priority':
      return facts.priorities.map(([priority, detail]) => ({
        text: `${priority}`,
        detail,
        kind: plain,
        isText: false,
      }));
    case 'annotations':
      return [{ text: '{ readOnlyHint = true }', kind: plain, isText: false }];
    case 'checker':
      return [{ text: '{ type = "in-process", name = "allowed-path" }', kind: plain, isText: false }];
    case 'checker type':
      return [text('in-process', member)];
    case 'checker name':
      return [text('allowed-path', member)];
    case 'argument':
      return argumentNames(facts.tools).map((name) => text(name, plain));
    case 'pattern':
    case 'text':
      return [];
  }
}

/** What a value means, in Markdown. */
export async function aboutValue(kind: ValueKind, value: string, workspace: Workspace): Promise<string | undefined> {
  if (kind === 'mode') return isApprovalMode(value) ? aboutMode(value) : undefined;
  if (kind === 'decision') return isDecision(value) ? `${decisionText(value)}.` : undefined;
  if (kind === 'server') return aboutServer(value, workspace);
  if (kind === 'agent') return aboutAgent(value, workspace);
  return kind === 'tool' ? aboutTool(value, workspace) : undefined;
}

async function aboutTool(name: string, workspace: Workspace): Promise<string | undefined> {
  const known = describedTool(name);
  if (known) return `**${known.displayName}** ${inlineCode(name)}\n\n${known.description}`;
  const servers = await configuredServers(workspace);
  const server = serverOfTool(
    name,
    servers.map((one) => one.name),
  );
  return server === undefined ? aboutAgent(name, workspace) : aboutServer(server, workspace);
}

async function aboutServer(name: string, workspace: Workspace): Promise<string | undefined> {
  const server = (await configuredServers(workspace)).find((one) => one.name === name);
  if (!server) return undefined;
  const { description, origin, waits } = server;
  return [
    l10n.t('MCP server {0}, defined in {1}', inlineCode(name), workspace.linkTo(origin.file, origin.line)),
    ...(description === undefined ? [] : [plainMarkdown(description)]),
    ...(waits ? [l10n.t('It requires approval.')] : []),
  ].join('\n\n');
}

async function aboutAgent(name: string, workspace: Workspace): Promise<string | undefined> {
  const agents = await listedAgents(workspace);
  const found = agents.find(({ definition, unusable }) => definition.name === name && unusable?.reason !== 'shadowed');
  if (!found) return undefined;
  const { definition, unusable, file } = found;
  return [
    file === undefined
      ? l10n.t('Agent {0}, which comes with Gantry', inlineCode(name))
      : l10n.t('Agent {0}, defined in {1}', inlineCode(name), workspace.linkTo(file, 1)),
    plainMarkdown(definition.description),
    ...(unusable ? [plainMarkdown(unusable.text)] : []),
  ].join('\n\n');
}

async function toolValues(workspace: Workspace): Promise<readonly KnownValue[]> {
  const servers = await configuredServers(workspace);
  const called = auditKnowledge(workspace).calls.serverTools;
  const ofServers = servers.flatMap(({ name, includeTools = [] }) => [
    text(qualifiedName(inToolNames(name), '*'), module, l10n.t('every tool of the MCP server {0}', name)),
    ...includeTools.map((one) => text(inToolNames(qualifiedName(name, one)), tool, l10n.t('MCP server {0}', name))),
  ]);
  const known = new Set(ofServers.map((value) => value.text));
  return [
    ...describedTools().map((one) => ({ ...text(one.name, tool, one.displayName), about: toolSummary(one) })),
    ...ofServers,
    ...[...called].filter((name) => !known.has(name)).map((name) => text(name, tool, l10n.t('called lately'))),
    ...(await agentValues(workspace)),
    text('*', plain, l10n.t('every tool')),
  ];
}

/** Beside `mcpName`, tools have the names that their server gave them. */
async function toolsOfServer(name: string, workspace: Workspace): Promise<readonly KnownValue[]> {
  const server = (await configuredServers(workspace)).find((one) => one.name === name);
  const prefix = qualifiedName(inToolNames(name), '');
  const called = [...auditKnowledge(workspace).calls.serverTools].filter((one) => one.startsWith(prefix));
  const tools = new Set([...(server?.includeTools ?? []), ...called.map((one) => one.slice(prefix.length))]);
  return [
    ...[...tools].map((one) => text(one, tool, l10n.t('MCP server {0}', name))),
    text('*', plain, l10n.t('every tool of the MCP server {0}', name)),
  ];
}

async function serverValues(workspace: Workspace): Promise<readonly KnownValue[]> {
  const servers = await configuredServers(workspace);
  return servers.map(({ name, description, origin }) => ({
    ...text(name, module, workspace.labelOf(origin.file)),
    ...(description !== undefined && { about: plainMarkdown(description) }),
  }));
}

async function agentValues(workspace: Workspace): Promise<readonly KnownValue[]> {
  const agents = (await listedAgents(workspace)).filter(({ unusable }) => unusable?.reason !== 'shadowed');
  return agents.map(({ definition: { name, description }, file }) => ({
    ...text(name, agent, file === undefined ? l10n.t('an agent of Gantry') : workspace.labelOf(file)),
    about: plainMarkdown(description),
  }));
}

/** More than one list can show. */
const MAX_COMMANDS = 50;

function commandValues(workspace: Workspace): readonly KnownValue[] {
  const knowledge = auditKnowledge(workspace);
  knowledge.look();
  const now = Date.now();
  return knowledge.calls
    .commands()
    .slice(0, MAX_COMMANDS)
    .map(({ prefix, count, last }) => {
      const times = count === 1 ? l10n.t('asked once') : l10n.t('asked {0} times', count);
      return text(prefix, event, l10n.t('{0}, last {1}', times, timeAgo(last, now)));
    });
}

function argumentNames(tools: readonly string[]): readonly string[] {
  const named = tools.flatMap((name) => describedTool(name) ?? []);
  return [...new Set((named.length > 0 ? named : describedTools()).flatMap(({ parameters }) => parameters))];
}

type Decision = 'allow' | 'ask_user' | 'deny';

function isDecision(value: string): value is Decision {
  return ruleFields().shape.decision.safeParse(value).success;
}

function decisionText(decision: Decision): string {
  return {
    allow: l10n.t('The calls run without asking'),
    ask_user: l10n.t('The calls require approval, and are refused if nobody can be asked'),
    deny: l10n.t('The calls are refused'),
  }[decision];
}

function text(value: string, kind: CompletionItemKind, detail?: string): KnownValue {
  return { text: value, kind, isText: true, ...(detail !== undefined && { detail }) };
}
