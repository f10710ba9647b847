import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { EditorPosition } from '../../ports/editor.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { cut } from './listing.ts';
import { Refused } from './refused.ts';
import { linesOf, readSource } from './source-text.ts';
import { requireFile, type WorkspaceFile } from './workspace-file.ts';

const MAX_QUOTED_CHARS = 200;

/** How the model identifies a symbol. Models count lines well and columns badly, so the name is enough. */
export const positionShape = once(() => ({
  file_path: z.string().min(1).describe('Path of the file, relative to the workspace folder or absolute.'),
  line: z.int().min(1).describe('Line with the symbol, counted from 1.'),
  symbol: z.string().min(1).max(500).optional().describe('Name of the symbol, as on that line.'),
  column: z
    .int()
    .min(1)
    .optional()
    .describe('Column of the symbol, counted from 1. Only needed without symbol, or if the line has the name twice.'),
}));

export const NEEDS_SYMBOL_OR_COLUMN = { path: ['symbol'], error: 'give symbol or column' };

export interface PositionArguments {
  readonly file_path: string;
  readonly line: number;
  readonly symbol?: string | undefined;
  readonly column?: number | undefined;
}

export function hasSymbolOrColumn({ symbol, column }: Pick<PositionArguments, 'symbol' | 'column'>): boolean {
  return symbol !== undefined || column !== undefined;
}

export interface FoundPosition {
  readonly file: WorkspaceFile;
  readonly at: EditorPosition;
  /** The name at the position. */
  readonly name: string;
}

/** Finds the file and the position in the editor's terms. */
export async function findPosition(args: PositionArguments, context: ToolContext): Promise<FoundPosition> {
  const file = await requireFile(args.file_path, context);
  const source = await readSource(file, context.files, context.signal);
  if (source === undefined) throw new Refused('read_content_failure', `${file.label} could not be read as text.`);
  const lines = linesOf(source);
  const text = lines[args.line - 1];
  if (text === undefined) {
    throw new Refused(
      'invalid_tool_params',
      `${file.label} has only ${lines.length} lines, there is no line ${args.line}.`,
    );
  }
  const column = args.symbol === undefined ? args.column : columnOf(args.symbol, text, args.column);
  if (column === undefined) throw new Refused('invalid_tool_params', notOnLine(args, file.label, lines));
  if (column > text.length) {
    throw new Refused(
      'invalid_tool_params',
      `Line ${args.line} of ${file.label} ends before column ${column}: ${quoted(text)}`,
    );
  }
  return { file, at: { path: file.editorPath, line: args.line, column }, name: args.symbol ?? wordAt(text, column) };
}

/** The column of the occurrence nearest to `hint`. Occurrences inside a longer name don't count. */
export function columnOf(symbol: string, line: string, hint = 1): number | undefined {
  const columns: number[] = [];
  for (let index = line.indexOf(symbol); index !== -1; index = line.indexOf(symbol, index + 1)) {
    if (standsAlone(line, index, symbol)) columns.push(index + 1);
  }
  return columns.sort((left, right) => Math.abs(left - hint) - Math.abs(right - hint))[0];
}

function standsAlone(line: string, index: number, symbol: string): boolean {
  const isInside = (left: string | undefined, right: string | undefined): boolean =>
    isNamePart(left) && isNamePart(right);
  return !isInside(line[index - 1], symbol[0]) && !isInside(symbol.at(-1), line[index + symbol.length]);
}

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}\p{M}\p{Surrogate}_$]/u.test(character);
}

function wordAt(line: string, column: number): string {
  let [start, end] = [column - 1, column - 1];
  while (isNamePart(line[start - 1])) start--;
  while (isNamePart(line[end])) end++;
  return line.slice(start, end);
}

function notOnLine({ symbol = '', line }: PositionArguments, label: string, lines: readonly string[]): string {
  const others = lines.flatMap((text, index) => (columnOf(symbol, text) === undefined ? [] : [index + 1]));
  const nearest = others.sort((left, right) => Math.abs(left - line) - Math.abs(right - line)).slice(0, 5);
  const elsewhere = nearest.length === 0 ? 'It is nowhere in this file.' : `It is on line ${nearest.join(', ')}.`;
  return `"${symbol}" is not on line ${line} of ${label}, which reads: ${quoted(lines[line - 1] ?? '')}\n${elsewhere}`;
}

function quoted(text: string): string {
  return cut(text.trim(), MAX_QUOTED_CHARS);
}
