import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { parse, TomlError } from 'smol-toml';
import { type Beginning, readBeginning } from '../files/read-beginning.ts';
import { oneLine } from '../text/one-line.ts';
import type { CommandProblem, CustomCommand } from './custom-command.ts';
import { type PromptProblem, parsePrompt } from './prompt-template.ts';

/** A prompt is added to a message unchanged. */
const MAX_BYTES = 200_000;
const MAX_DESCRIPTION = 100;

export interface CommandFile {
  /** An absolute path. */
  readonly file: string;
  /** The path relative to the commands folder. */
  readonly relativePath: string;
  readonly source: CustomCommand['source'];
  /** The name of the extension that contains the file. */
  readonly extension?: string;
  /** Whether the file may define a command, by its real path. */
  accepts(realPath: string): Promise<boolean> | boolean;
}

export type CommandOrProblem = { readonly command: CustomCommand } | { readonly problem: CommandProblem };

export async function readCommand(about: CommandFile): Promise<CommandOrProblem> {
  const read = await readBeginning(about.file, MAX_BYTES, (real) => about.accepts(real));
  const text = textOf(read);
  return 'problem' in text ? wrong(about, 1, text.problem) : parseCommand(text.text.replaceAll('\r\n', '\n'), about);
}

function textOf(read: Beginning): { readonly text: string } | { readonly problem: string } {
  if ('failed' in read) return { problem: l10n.t('The command file could not be read ({0}).', read.failed) };
  return read.isCut ? { problem: l10n.t('The command file is larger than 200 kB.') } : { text: read.text };
}

function parseCommand(text: string, about: CommandFile): CommandOrProblem {
  try {
    const { prompt, description } = parse(text);
    if (typeof prompt !== 'string' || prompt.trim() === '')
      return wrong(about, lineOf(text, 'prompt'), l10n.t('"prompt" must be a string. It is sent to the model.'));
    if (description !== undefined && typeof description !== 'string')
      return wrong(about, lineOf(text, 'description'), l10n.t('"description" must be a string.'));
    const parsed = parsePrompt(prompt);
    if ('problem' in parsed)
      return wrong(about, lineInPrompt(text, prompt, parsed.at), promptProblemText(parsed.problem));
    return { command: commandOf(about, description ?? '', parsed.parts) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
    return wrong(about, error.line, l10n.t('The file is not valid TOML: {0}.', why));
  }
}

function commandOf(
  { file, source, relativePath, extension }: CommandFile,
  described: string,
  prompt: CustomCommand['prompt'],
): CustomCommand {
  const shown = oneLine(described, MAX_DESCRIPTION) || l10n.t('Command of {0}', basename(file));
  const about = { name: commandName(relativePath), source, file, prompt };
  // The same format as in Gemini CLI's list.
  return extension === undefined
    ? { ...about, description: shown }
    : { ...about, description: `[${extension}] ${shown}`, extension };
}

function promptProblemText(problem: PromptProblem): string {
  switch (problem) {
    case 'unbalanced':
      return l10n.t('The braces of @{…} or !{…} are not balanced.');
    case 'empty':
      return l10n.t('The braces of @{…} or !{…} are empty.');
    case 'too-long':
      return l10n.t('The text in the braces of @{…} or !{…} is longer than 5,000 characters.');
    case 'quoted-args':
      return l10n.t(
        'In !{…}, write {{args}} on its own, without quotes, here-documents or arithmetic around it. Gantry quotes it, so that nothing in it runs.',
      );
  }
}

function wrong({ file }: CommandFile, line: number, text: string): CommandOrProblem {
  return { problem: { file, line, text } };
}

/** Finds the line of a key, because the parser gives no positions. */
function lineOf(text: string, key: string): number {
  const at = text.split('\n').findIndex((line) => new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*=`).test(line));
  return Math.max(at, 0) + 1;
}

/** A multi-line string begins on the line after its opening quotes. */
function lineInPrompt(text: string, prompt: string, at: number): number {
  const begins = lineOf(text, 'prompt');
  const first = text.split('\n')[begins - 1] ?? '';
  const isBehind = /=[ \t]*("""|''')[ \t]*$/.test(first);
  return begins + (isBehind ? 1 : 0) + prompt.slice(0, at).split('\n').length - 1;
}

const MAX_SEGMENT = 50;

/** `git/commit.toml` becomes "git:commit". Invalid characters become underscores, as in Gemini CLI. */
export function commandName(relativePath: string): string {
  const segments = relativePath.replace(/\.toml$/i, '').split(/[\\/]/);
  return segments.map((segment) => shortened(segment.replace(/[^\w.-]/g, '_'))).join(':');
}

function shortened(segment: string): string {
  return segment.length > MAX_SEGMENT ? `${segment.slice(0, MAX_SEGMENT - 3)}...` : segment;
}
