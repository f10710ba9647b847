import { onceEach } from '../../base/once.ts';
import { type PlacedPart, partsOfPrompt } from '../../commands/prompt-template.ts';
import type { Span } from '../../text/text-range.ts';
import { readTomlString } from '../../text/toml-string.ts';
import { entryOf, scanToml, type TomlBlock, type TomlEntry } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';

/** A command file as far as it can be read. */
export interface CommandDocument {
  readonly blocks: readonly TomlBlock[];
  /** The keys that aren't in a table. */
  readonly entries: readonly TomlEntry[];
  /** The parts of the prompt. Their places are those in the file. */
  readonly parts: readonly PlacedPart[];
  /** Where the text of the prompt is, without its quotes. */
  readonly prompt: Span | undefined;
}

/** The runtime reads no more, and nobody wants help with a prompt of this size. */
const MAX_LENGTH = 200_000;

/** More than a prompt needs, and few enough to look at in no time. */
const MAX_PARTS = 1000;
/** The same for keys. */
const MAX_ENTRIES = 500;

export const commandDocument = onceEach(({ text }: ConfigDocument): CommandDocument => {
  if (text.length > MAX_LENGTH) return { blocks: [], entries: [], parts: [], prompt: undefined };
  const blocks = scanToml(text);
  const entries = blocks[0]?.entries.slice(0, MAX_ENTRIES) ?? [];
  const value = entryOf({ entries }, 'prompt')?.value;
  if (value?.kind !== 'string') return { blocks, entries, parts: [], prompt: undefined };
  const { text: written, offsets } = readTomlString(text, value);
  const placed = ({ start, end }: Span): Span => ({
    start: offsets[start] ?? value.end,
    end: offsets[end] ?? value.end,
  });
  const parts: PlacedPart[] = [];
  for (const part of partsOfPrompt(written)) {
    parts.push({ ...part, ...placed(part) });
    if (parts.length === MAX_PARTS) break;
  }
  return { blocks, entries, parts, prompt: placed({ start: 0, end: written.length }) };
});

/** `@{…}` and `!{…}` with what is written between the braces, as far as it has no placeholder for the arguments. */
export interface PlacedMark extends Span {
  readonly kind: 'file' | 'shell';
  readonly text: string;
  readonly hasArgs: boolean;
}

/** Replaces the arguments where something has to be written. */
const ANY_ARGUMENT = "'arguments'";

export function marksOf(file: ConfigDocument): readonly PlacedMark[] {
  return commandDocument(file).parts.flatMap((placed): PlacedMark[] => {
    if ('problem' in placed || placed.part.kind === 'text' || placed.part.kind === 'args') return [];
    const { part, start, end } = placed;
    const pieces = part.kind === 'file' ? part.path : part.command;
    const hasArgs = pieces.some((piece) => typeof piece !== 'string');
    const text = pieces.map((piece) => (typeof piece === 'string' ? piece : ANY_ARGUMENT)).join('');
    return [{ kind: part.kind, text: text.trim(), hasArgs, start, end }];
  });
}
