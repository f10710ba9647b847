import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Decision, Verdict } from '../policy/policy-types.ts';
import type { ToolContext } from '../ports/tool.ts';
import type { Attachment } from '../protocol/agent/attachment.ts';
import { type ContentPart, textPart } from '../protocol/agent/content-part.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import { attachmentPart } from '../protocol/agent/reference-parts.ts';
import { unverifiedPathLabel } from '../tools/path-label.ts';
import type { CustomCommand } from './custom-command.ts';
import { injectFile } from './inject-file.ts';
import { fillIn, type PromptPart, usesArgs } from './prompt-template.ts';

export interface PreparePorts {
  /** For reading files, with the same guards as for tools. */
  readonly context: Omit<ToolContext, 'signal'>;
  /** The current decision of the rules about a shell command. */
  judge(command: string): Promise<Pick<Verdict, 'decision' | 'why' | 'runs'>>;
  /** Runs a command. Returns its output, and how it ended if it failed. */
  run(command: string, signal: AbortSignal): Promise<string>;
}

/** A shell command whose output becomes part of the message. */
export interface WantedCommand {
  /** The exact command, with the arguments inserted. */
  readonly command: string;
  readonly decision: Decision;
  readonly why: string;
  /** The rewritten form of the command, which runs if the rules allow it without approval. */
  readonly runs?: string;
}

export interface CompletedCommand {
  /** The parts of the message, in order. */
  readonly parts: readonly ContentPart[];
  /** Messages for the user about content that could not be inserted. */
  readonly problems: readonly string[];
}

/** A command with its arguments. Nothing has been read or run for it yet. */
export interface PreparedCommand {
  /** The shell commands to run. Those that the rules neither allow nor deny require approval. */
  readonly wanted: readonly WantedCommand[];
  /**
   * Reads the files and runs the commands. `agreed` contains the commands that a person approved. Rejects with a
   * `ProblemError` before anything runs if a command is denied or not approved.
   */
  complete(agreed: readonly string[], signal: AbortSignal): Promise<CompletedCommand>;
}

type Piece =
  | Exclude<PromptPart, { kind: 'args' | 'file' | 'shell' }>
  | { readonly kind: 'file' | 'shell'; readonly what: string };

/** Inserts the arguments. Inserted content, including the arguments, is never searched for more to insert or run. */
export async function prepareCommand(
  command: CustomCommand,
  args: string,
  ports: PreparePorts,
): Promise<PreparedCommand> {
  const pieces = piecesOf(command, args);
  const shell = [...new Set(pieces.flatMap((piece) => (piece.kind === 'shell' ? [piece.what] : [])))];
  const judge = async (wanted: string): Promise<WantedCommand> => {
    const { decision, why, runs } = await ports.judge(wanted);
    return { command: wanted, decision, why, ...(decision === 'allow' && runs !== undefined && { runs }) };
  };
  return {
    wanted: await Promise.all(shell.map(judge)),
    complete: async (agreed, signal) => {
      // Check again, because the mode or a rule may have changed while the user was asked.
      const judged = await Promise.all(shell.map(judge));
      for (const wanted of judged) refuseUnlessAgreed(command, wanted, agreed);
      const lines = new Map(judged.map((wanted) => [wanted.command, wanted.runs ?? wanted.command]));
      const run: PreparePorts['run'] = (what, stop) => ports.run(lines.get(what) ?? what, stop);
      const { parts, problems } = await completed(pieces, { ...ports, run }, signal);
      return { parts: saidBy(command, args, parts, ports.context.workspace.roots()), problems };
    },
  };
}

function piecesOf({ prompt, name, source }: CustomCommand, args: string): Piece[] {
  const pieces = prompt.map((part) => pieceOf(part, args));
  // For prompts of others, `saidBy` puts the text that the user typed before the prompt.
  if (args === '' || usesArgs(prompt) || source !== 'user') return pieces;
  return [...pieces, { kind: 'text', text: `\n\n/${name} ${args}` }];
}

function pieceOf(part: PromptPart, args: string): Piece {
  switch (part.kind) {
    case 'text':
      return part;
    case 'args':
      return { kind: 'text', text: args };
    case 'file':
      return { kind: 'file', what: fillIn(part.path, args).trim() };
    case 'shell':
      return { kind: 'shell', what: fillIn(part.command, quoteForShell(args)) };
  }
}

function refuseUnlessAgreed({ name }: CustomCommand, wanted: WantedCommand, agreed: readonly string[]): void {
  const { command, decision, why } = wanted;
  if (decision === 'allow' || (decision === 'ask_user' && agreed.includes(command))) return;
  const detail =
    decision === 'deny'
      ? l10n.t('It wants to run "{0}", which is not allowed. {1} Nothing was run.', command, why)
      : l10n.t('It wants to run "{0}", which was not approved. Nothing was run.', command);
  const title = l10n.t('/{0} was not sent', name);
  throw new ProblemError({ kind: 'bad-input', title, detail, actions: [] });
}

async function completed(
  pieces: readonly Piece[],
  ports: PreparePorts,
  signal: AbortSignal,
): Promise<CompletedCommand> {
  const parts: ContentPart[] = [];
  const problems: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    signal.throwIfAborted();
    if (piece.kind === 'text') parts.push(textPart(piece.text));
    else if (piece.kind === 'shell') {
      const attachment = { id: `command-${at}`, kind: 'terminal', label: piece.what } as const;
      parts.push(attachmentPart(attachment, await ports.run(piece.what, signal)));
    } else {
      const injected = await injectFile(piece.what, `command-${at}`, { ...ports.context, signal });
      if ('parts' in injected) parts.push(...injected.parts);
      else {
        parts.push(textPart(`@{${piece.what}} (not read: ${injected.problem})`));
        problems.push(injected.problem);
      }
    }
  }
  return { parts: joined(parts), problems };
}

/**
 * A file of the user counts as the user's text. For other files, only the typed text does: the rest must not name files
 * or make choices for the user.
 */
function saidBy(
  command: CustomCommand,
  args: string,
  parts: readonly ContentPart[],
  roots: readonly string[],
): readonly ContentPart[] {
  if (command.source === 'user') return parts;
  const attachment = promptOf(command, roots);
  const marked = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return [
    textPart(`/${command.name} ${args}`.trim()),
    ...marked.map((part) => (part.type === 'text' ? attachmentPart(attachment, part.text) : part)),
  ];
}

/** Adds the path of a command file, so that a file in the open folder can be opened. */
function promptOf({ name, extension, file }: CustomCommand, roots: readonly string[]): Attachment {
  const about = { id: 'command', kind: 'prompt' } as const;
  if (extension !== undefined) return { ...about, label: `${extension}: /${name}` };
  return { ...about, label: basename(file), path: unverifiedPathLabel(file, roots) };
}

/** Joins adjacent texts. */
function joined(parts: readonly ContentPart[]): ContentPart[] {
  const together: ContentPart[] = [];
  for (const part of parts) {
    const last = together.at(-1);
    if (part.type === 'text' && last?.type === 'text') together[together.length - 1] = textPart(last.text + part.text);
    else together.push(part);
  }
  return together;
}

/** Quotes the text as one argument, for bash or for PowerShell, which treats typographic quotes as quotes. */
export function quoteForShell(text: string, platform: NodeJS.Platform = process.platform): string {
  const plain = text.replaceAll('\0', '');
  if (platform === 'win32') return `'${plain.replace(/['\u2018\u2019\u201A\u201B]/g, '$&$&')}'`;
  return `'${plain.replaceAll("'", `'\\''`)}'`;
}
