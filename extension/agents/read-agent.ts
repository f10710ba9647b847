import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { isObject } from '../base/objects.ts';
import { KNOWN_TOOLS } from '../policy/rules/known-tools.ts';
import { type FrontMatter, readFrontMatter } from '../text/front-matter.ts';
import { nearestNames } from '../text/nearest-names.ts';
import { firstLine, type TextRange } from '../text/text-range.ts';
import {
  type AgentDefinition,
  type AgentProblem,
  DEFAULT_MAX_TURNS,
  DEFAULT_TIMEOUT_MINS,
  type LocalAgent,
  type RemoteAgent,
} from './agent-definition.ts';
import { agentSchemas, type LocalFrontMatter, meantKind, type RemoteFrontMatter } from './agent-schema.ts';

export interface ReadAgents {
  readonly agents: readonly AgentDefinition[];
  /** Where the name of each agent is. */
  readonly names: readonly TextRange[];
  readonly problems: readonly AgentProblem[];
}

/** Reads a definition file with one agent or a list of remote agents. An error rejects the complete file. */
export function readAgents(text: string, file: string): ReadAgents {
  const read = readFrontMatter(text);
  if (!('problem' in read)) return define(read.matter, file) ?? withoutFields(text, file);
  if (read.problem === 'missing') return withoutFields(text, file);
  const { range, why } = read;
  return failed([{ file, line: range.line, range, text: l10n.t('The front matter is not valid YAML: {0}', why) }]);
}

function withoutFields(text: string, file: string): ReadAgents {
  return failed([{ file, line: 1, range: firstLine(text), text: noFrontMatter() }]);
}

const noFrontMatter = (): string =>
  l10n.t('A definition must begin with front matter between two "---" lines, with at least a name and a description.');

function define(matter: FrontMatter, file: string): ReadAgents | undefined {
  const { data } = matter;
  if (Array.isArray(data)) return defineAll(data, matter, file);
  if (!isObject(data)) return undefined;
  if (meantKind(data) === 'remote') return defineRemote(data, matter, file);
  const parsed = agentSchemas().local.safeParse(data);
  if (!parsed.success) return failed(problemsOf(parsed.error, data, matter, file));
  return { agents: [localAgent(parsed.data, matter.body)], names: [matter.rangeOf(['name'])], problems: [] };
}

function defineAll(list: readonly unknown[], matter: FrontMatter, file: string): ReadAgents {
  const outcomes = list.map((data, index) => defineRemote(data, matter, file, [index]));
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  if (problems.length > 0) return failed(problems);
  return { agents: outcomes.flatMap(({ agents }) => agents), names: outcomes.flatMap(({ names }) => names), problems };
}

function defineRemote(data: unknown, matter: FrontMatter, file: string, below: readonly number[] = []): ReadAgents {
  const parsed = agentSchemas().remote.safeParse(data);
  if (!parsed.success) return failed(problemsOf(parsed.error, data, matter, file, below));
  return { agents: [remoteAgent(parsed.data)], names: [matter.rangeOf([...below, 'name'])], problems: [] };
}

function failed(problems: readonly AgentProblem[]): ReadAgents {
  return { agents: [], names: [], problems };
}

/** More would be made in no time by a list of wrong tools, and nobody reads them. */
const MAX_PROBLEMS = 200;

function problemsOf(
  error: z.ZodError,
  data: unknown,
  { rangeOf }: FrontMatter,
  file: string,
  below: readonly number[] = [],
): AgentProblem[] {
  return error.issues.slice(0, MAX_PROBLEMS).flatMap((issue) => {
    const paths =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MAX_PROBLEMS).map((key) => [...issue.path, key])
        : [[...issue.path]];
    return paths.map((path) => {
      const whole = [...below, ...path];
      const range = issue.code === 'unrecognized_keys' ? rangeOf(whole, 'key') : rangeOf(whole);
      return { file, line: range.line, range, key: whole.join('.'), text: textOf(issue, path, data) };
    });
  });
}

function textOf(issue: z.core.$ZodIssue, path: readonly PropertyKey[], data: unknown): string {
  const key = path.join('.');
  if (issue.code === 'unrecognized_keys') return l10n.t('The key "{0}" is unknown.', key);
  const value = valueAt(data, path);
  if (value === undefined && issue.code !== 'custom') return l10n.t('"{0}" is missing.', key);
  if (path[0] === 'tools' && issue.code === 'custom' && typeof value === 'string') return unknownTool(value);
  return l10n.t('"{0}" is invalid: {1}.', key, issue.message);
}

function unknownTool(name: string): string {
  const [nearest = ''] = nearestNames(name, KNOWN_TOOLS, 1);
  return l10n.t('There is no tool "{0}". Did you mean "{1}"?', name, nearest);
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isObject(at) && Object.hasOwn(at, step) ? at[String(step)] : undefined;
  }, data);
}

function localAgent(read: LocalFrontMatter, body: string): LocalAgent {
  const {
    name,
    description,
    display_name,
    tools,
    mcp_servers = {},
    model,
    temperature,
    max_turns,
    timeout_mins,
  } = read;
  return {
    kind: 'local',
    name,
    description,
    ...(display_name !== undefined && { displayName: display_name }),
    ...(tools && { tools }),
    mcpServers: mcp_servers,
    model: model ?? 'inherit',
    temperature: temperature ?? 1,
    maxTurns: max_turns ?? DEFAULT_MAX_TURNS,
    timeoutMins: timeout_mins ?? DEFAULT_TIMEOUT_MINS,
    prompt: { text: body },
  };
}

function remoteAgent(read: RemoteFrontMatter): RemoteAgent {
  const { name, description = '', display_name, agent_card_url, agent_card_json = '', auth } = read;
  return {
    kind: 'remote',
    name,
    description,
    ...(display_name !== undefined && { displayName: display_name }),
    card: agent_card_url === undefined ? { json: agent_card_json } : { url: agent_card_url },
    ...(auth && { auth }),
  };
}
