import * as l10n from '@vscode/l10n';
import type { CommandLibrary } from '../../commands/command-library.ts';
import type { CustomCommand } from '../../commands/custom-command.ts';
import type { PreparedCommand } from '../../commands/prepare-command.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import { readArguments } from '../../mcp/prompt-arguments.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import { type ContentPart, textPart } from '../../protocol/agent/content-part.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { editDistanceWithin, nearestNames } from '../../text/nearest-names.ts';

export interface TypedCommandParts {
  readonly workspace: WorkspacePort;
  readonly library: CommandLibrary;
  readonly mcp: McpServers;
  readonly initPrompt: () => Promise<string>;
  /** Prepares a command in the session that receives the message. */
  readonly prepare: (command: CustomCommand, args: string) => Promise<PreparedCommand>;
}

export interface TypedMessage {
  readonly parts: readonly ContentPart[];
  /** Messages for users about parts that could not be inserted. */
  readonly problems: readonly string[];
}

/** Longer than any healthy server takes. */
const SERVERS_MS = 30_000;

/**
 * Expands a text that begins with a slash where the user can't be asked: a custom command runs only what the rules
 * allow. Returns undefined if the text is not a command. Rejects with a `ProblemError` if the command can't be sent.
 */
export async function typedCommand(
  text: string,
  parts: TypedCommandParts,
  signal: AbortSignal,
): Promise<TypedMessage | undefined> {
  const [, name = '', args = ''] = /^\/([\w.:-]+)(?:\s+([\s\S]*))?$/.exec(text.trimEnd()) ?? [];
  if (name === '') return undefined;
  if (!parts.workspace.isTrusted()) throw notSent(name, l10n.t('Commands are off: this folder is not trusted.'));
  if (name === 'init' && args === '') return { parts: [textPart(await parts.initPrompt())], problems: [] };
  await parts.library.refresh();
  const command = parts.library.find(name);
  if (command) return completed(command, await parts.prepare(command, args.trim()), signal);
  return promptOfServer(name, args.trim(), parts, signal);
}

/**
 * Rejects a command that requires approval before anything runs, and says how to allow it. Denials have their own text.
 */
function completed({ name }: CustomCommand, prepared: PreparedCommand, signal: AbortSignal): Promise<TypedMessage> {
  const asks = prepared.wanted.find(({ decision }) => decision === 'ask_user');
  if (!asks) return prepared.complete([], signal);
  const detail = l10n.t(
    'It wants to run "{0}", which requires approval, and nobody can be asked here. {1} Nothing was run. To allow it, run with --approval-mode yolo, or with --policy and a file that has a rule for run_shell_command.',
    asks.command,
    asks.why,
  );
  throw new ProblemError({ kind: 'bad-input', title: notSentTitle(name), detail, actions: [] });
}

async function promptOfServer(
  name: string,
  args: string,
  { mcp, library }: TypedCommandParts,
  signal: AbortSignal,
): Promise<TypedMessage | undefined> {
  await mcp.refresh();
  await mcp.settled(SERVERS_MS);
  const prompt = mcp.prompts.find((each) => typedName(each.name) === name);
  if (!prompt)
    return unknown(name, [
      ...library.list.map((each) => each.name),
      ...mcp.prompts.map((each) => typedName(each.name)),
    ]);
  const read = readArguments(args, prompt.arguments);
  if ('unknown' in read) throw notSent(name, l10n.t('It has no argument "{0}".', read.unknown));
  if ('missing' in read) throw notSent(name, l10n.t('It needs {0}.', read.missing.join(', ')));
  const answer = await mcp.promptMessage(prompt.server, prompt.name, read.values, signal);
  if ('failed' in answer) throw notSent(name, answer.failed.message);
  // The command as the user typed it is the only text that counts as the user's.
  return { parts: [textPart(`/${name} ${args}`.trim()), ...answer.value], problems: [] };
}

/** A text may begin with a slash without being a command. If it is close to a command's name, it is probably a typo. */
function unknown(name: string, names: readonly string[]): undefined {
  const [near] = nearestNames(name, names, 1);
  const limit = Math.max(1, Math.floor(name.length / 4));
  if (near === undefined || editDistanceWithin(name, near, limit) === undefined) return undefined;
  throw notSent(name, l10n.t('There is no such command. Did you mean {0}?', `/${near}`));
}

/** The name of a command as it is typed after the slash. */
export function typedName(name: string): string {
  return name.replace(/[^\w.:-]+/g, '-');
}

function notSent(name: string, why: string): ProblemError {
  const how = l10n.t('To send it as a message, put a space before it.');
  return new ProblemError({ kind: 'bad-input', title: notSentTitle(name), detail: `${why} ${how}`, actions: [] });
}

const notSentTitle = (name: string): string => l10n.t('/{0} was not sent', name);
