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
  /** For reading files: the same guards count as for tools. */
  readonly context: Omit<ToolContext, 'signal'>;
  /** What the rules say of a shell command at this moment. */
  judge(command: string): Promise<Pick<Verdict, 'decision' | 'why' | 'runs'>>;
  /** Runs one and waits for it: what it wrote, and how it ended if that was not well. */
  run(command: string, signal: AbortSignal): Promise<string>;
}

/** A shell command that becomes part of the message. */
export interface WantedCommand {
  /** Exactly as it would run, with the arguments in it. */
  readonly command: string;
  readonly decision: Decision;
  readonly why: string;
  /** What runs instead where the rules allow it and nobody has to read it: the same, rewritten. */
  readonly runs?: string;
}

export interface CompletedCommand {
  /** For a message, in order. */
  readonly parts: readonly ContentPart[];
  /** What could not be put in, for people. */
  readonly problems: readonly string[];
}

/** A command with its arguments, before anything was read or run for it. */
export interface PreparedCommand {
  /** What it wants to run. Those that the rules neither allow nor deny require approval. */
  readonly wanted: readonly WantedCommand[];
  /**
   * Reads and runs what it wants. `agreed`: commands that a person approved. Rejects with a `ProblemError`, before anything
   * runs, when one is denied or nobody approved it.
   */
  complete(agreed: readonly string[], signal: AbortSignal): Promise<CompletedCommand>;
}

type Piece =
  | Exclude<PromptPart, { kind: 'args' | 'file' | 'shell' }>
  | { readonly kind: 'file' | 'shell'; readonly what: string };

/** Puts the arguments in. What comes in from outside, they included, is never looked through for more to put in or to run. */
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
      // Again: the mode or a rule may have changed while somebody was asked.
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
  // Before the prompt of somebody else stands what the user typed.
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

/** The user's own file is their words. Of anybody else's only what they typed is: it must not name or choose a thing for them. */
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

/** What is in the open folder can be looked at from there. */
function promptOf({ name, extension, file }: CustomCommand, roots: readonly string[]): Attachment {
  const about = { id: 'command', kind: 'prompt' } as const;
  if (extension !== undefined) return { ...about, label: `${extension}: /${name}` };
  return { ...about, label: basename(file), path: unverifiedPathLabel(file, roots) };
}

/** Text beside text is one. */
function joined(parts: readonly ContentPart[]): ContentPart[] {
  const together: ContentPart[] = [];
  for (const part of parts) {
    const last = together.at(-1);
    if (part.type === 'text' && last?.type === 'text') together[together.length - 1] = textPart(last.text + part.text);
    else together.push(part);
  }
  return together;
}

/** One argument, whatever is in it: for bash, or for PowerShell, which takes typographic quotes for quotes. */
export function quoteForShell(text: string, platform: NodeJS.Platform = process.platform): string {
  const plain = text.replaceAll('\0', '');
  if (platform === 'win32') return `'${plain.replace(/['\u2018\u2019\u201A\u201B]/g, '$&$&')}'`;
  return `'${plain.replaceAll("'", `'\\''`)}'`;
}
