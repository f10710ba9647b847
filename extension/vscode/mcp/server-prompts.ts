import * as l10n from '@vscode/l10n';
import type { OfServer, ServerPrompt } from '../../mcp/connection-types.ts';
import { argumentHint, readArguments } from '../../mcp/prompt-arguments.ts';
import { textPart } from '../../protocol/agent/content-part.ts';
import { refusal, type SlashCommand, type SlashOutcome, type SlashSource } from '../suggestions/slash-command.ts';
import type { McpServerList } from './server-list.ts';

type Prompting = Pick<McpServerList, 'prompts' | 'load'>;

/** Longer than any healthy server takes. The input waits for this. */
const PROMPT_MS = 60_000;
const MAX_DESCRIPTION = 200;

/** Provides the prompts of MCP servers as slash commands. */
export function serverPrompts(list: Prompting): SlashSource {
  return { prefix: 'mcp', commands: () => list.prompts.map((prompt) => promptCommand(list, prompt)) };
}

function promptCommand(list: Prompting, prompt: OfServer<ServerPrompt>): SlashCommand {
  const { name, title, description, server } = prompt;
  const hint = argumentHint(prompt.arguments);
  const about = (description ?? title ?? '').replace(/\s+/g, ' ').slice(0, MAX_DESCRIPTION);
  return {
    // Keeps only characters that can be typed after a slash.
    name: name.replace(/[^\w.:-]+/g, '-'),
    description: about === '' ? l10n.t('Prompt of the MCP server {0}', server) : `${about} (${server})`,
    ...(hint !== undefined && { hint }),
    needsTrust: true,
    run: (argument) => runPrompt(list, prompt, argument),
  };
}

async function runPrompt(list: Prompting, prompt: OfServer<ServerPrompt>, argument: string): Promise<SlashOutcome> {
  const read = readArguments(argument, prompt.arguments);
  if ('unknown' in read) return notSent(prompt, l10n.t('It has no argument "{0}".', read.unknown));
  if ('missing' in read) return notSent(prompt, l10n.t('It needs {0}.', read.missing.join(', ')));
  const servers = await list.load();
  const answer = await servers.promptMessage(prompt.server, prompt.name, read.values, AbortSignal.timeout(PROMPT_MS));
  if ('failed' in answer) return notSent(prompt, answer.failed.message);
  // Only the command that the user typed counts as the user's own words.
  return { say: [textPart(`/${prompt.name} ${argument}`.trim()), ...answer.value] };
}

function notSent({ name }: ServerPrompt, why: string): SlashOutcome {
  return refusal(l10n.t('/{0} was not sent', name), why);
}
