import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { parse, TomlError } from 'smol-toml';
import { FileFailure, failureReason } from '../files/file-failure.ts';
import { type Beginning, type OpenTexts, openBeginning, readBeginning } from '../files/read-beginning.ts';
import { oneLine } from '../text/one-line.ts';
import { FILE_START, firstLine, LineIndex, type Span, type TextRange } from '../text/text-range.ts';
import { readTomlString } from '../text/toml-string.ts';
import { scanToml, type TomlEntry } from '../text/toml-syntax.ts';
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

type CommandText = Omit<CommandFile, 'accepts'>;

export type CommandOrProblem = { readonly command: CustomCommand } | { readonly problem: CommandProblem };

export async function readCommand(about: CommandFile, open?: OpenTexts): Promise<CommandOrProblem> {
  return commandIn(await readBeginning(about.file, MAX_BYTES, (real) => about.accepts(real), open), about);
}

/** The command in a document that an editor has open. Nothing is read. */
export function readOpenCommand(text: string, about: CommandText): CommandOrProblem {
  return commandIn(openBeginning(text, about.file, MAX_BYTES), about);
}

function commandIn(read: Beginning, about: CommandText): CommandOrProblem {
  const text = textOf(read);
  return 'problem' in text ? wrong(about, FILE_START, text.problem) : parseCommand(text.text, about);
}

function textOf(read: Beginning): { readonly text: string } | { readonly problem: string } {
  if ('failed' in read) {
    const why = failureReason(new FileFailure(read.failed));
    return { problem: l10n.t('The command file could not be read ({0}).', why) };
  }
  return read.isCut ? { problem: l10n.t('The command file is larger than 200 kB.') } : { text: read.text };
}

function parseCommand(text: string, about: CommandText): CommandOrProblem {
  const unified = text.replaceAll('\r\n', '\n');
  try {
    const { prompt, description } = parse(unified);
    if (prompt === undefined) return wrong(about, keyRange(unified, 'prompt'), l10n.t('"{0}" is missing.', 'prompt'));
    if (typeof prompt !== 'string' || prompt.trim() === '')
      return wrong(about, keyRange(unified, 'prompt'), l10n.t('"prompt" must be a string. It is sent to the model.'));
    if (description !== undefined && typeof description !== 'string')
      return wrong(about, keyRange(unified, 'description'), l10n.t('"description" must be a string.'));
    const parsed = parsePrompt(prompt);
    if ('problem' in parsed) return wrong(about, rangeInPrompt(unified, parsed), promptProblemText(parsed.problem));
    return { command: commandOf(about, description ?? '', parsed.parts) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
    return wrong(about, restOfLine(unified, error), l10n.t('The file is not valid TOML: {0}.', why));
  }
}

function commandOf(
  { file, source, relativePath, extension }: CommandText,
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

function wrong({ file }: Pick<CommandFile, 'file'>, range: TextRange, text: string): CommandOrProblem {
  return { problem: { file, line: range.line, range, text } };
}

/** The value of a key, as far as it is in the first line, or the key. The first line if there is no such key. */
function keyRange(text: string, key: string): TextRange {
  const entry = topEntry(text, key);
  if (!entry) return firstLine(text);
  const { value = entry } = entry;
  const [line = ''] = text.slice(value.start, value.end).split('\n', 1);
  const isWhole = line.length === value.end - value.start;
  const [name = value] = entry.names;
  return new LineIndex(text).rangeOf(isWhole ? value : name);
}

function rangeInPrompt(text: string, { start, end }: Span): TextRange {
  const value = topEntry(text, 'prompt')?.value;
  if (!value) return firstLine(text);
  const { offsets } = readTomlString(text, value);
  const span = { start: offsets[start] ?? value.start, end: offsets[end] ?? value.end };
  return new LineIndex(text).rangeOf(span);
}

/** The entry of a key that isn't in a table. */
export function topEntry(text: string, key: string): TomlEntry | undefined {
  return scanToml(text)[0]?.entries.find(({ names: [name, ...more] }) => name?.text === key && more.length === 0);
}

function restOfLine(text: string, { line, column }: TomlError): TextRange {
  const length = text.split('\n', line)[line - 1]?.length ?? 0;
  return { line, column, endLine: line, endColumn: Math.max(column, length + 1) };
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

/** Why this can't be the name of a command, as a clause. */
export function commandNameFault(name: string): string | undefined {
  const isPossible = name !== '' && commandName(`${name.replaceAll(':', '/')}.toml`) === name;
  // A folder must not lead elsewhere.
  const isPlain = name.split(':').every((segment) => !/^\.*$/.test(segment));
  return isPossible && isPlain ? undefined : l10n.t('only letters, digits, "-", "_", "." and ":" make a name');
}
