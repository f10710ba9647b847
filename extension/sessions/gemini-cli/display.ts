import { z } from 'zod';
import type { DisplayContent, ToolDisplay } from '../../protocol/agent/agent-event.ts';
import type { GeminiCall } from './message.ts';

const fileDiff = z.object({
  filePath: z.string().exactOptional(),
  fileName: z.string().exactOptional(),
  originalContent: z.string().nullable(),
  newContent: z.string(),
});
const patchOnly = z.object({ fileDiff: z.string() });
/** Terminal output: lines of pieces with colours, of which the text is kept. */
const terminal = z.array(z.array(z.object({ text: z.string() })));
const todos = z.object({ todos: z.array(z.object({ description: z.string(), status: z.string().catch('') })) });
const summarised = z.object({ summary: z.string() });

/** Gemini CLI falls back to the description of the tool itself, which can be a page; a card has one line. */
const MAX_DESCRIPTION = 200;

export function displayOf({ displayName, description, resultDisplay }: GeminiCall): ToolDisplay {
  const line = description.trim().split('\n', 1)[0] ?? '';
  const result = resultOf(resultDisplay);
  const summary = summarised.safeParse(resultDisplay);
  return {
    ...(displayName && { name: displayName }),
    ...(line && { description: line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line }),
    ...(summary.success && { resultSummary: summary.data.summary }),
    ...(result && { result }),
  };
}

function resultOf(shown: unknown): DisplayContent | undefined {
  if (typeof shown === 'string') return shown === '' ? undefined : { type: 'text', text: shown };
  const diff = fileDiff.safeParse(shown).data;
  if (diff) {
    const path = diff.filePath ?? diff.fileName;
    const texts = { beforeText: diff.originalContent ?? '', afterText: diff.newContent };
    return { type: 'diff', ...(path !== undefined && { path }), ...texts };
  }
  const text = textOf(shown);
  return text ? { type: 'text', text } : undefined;
}

function textOf(shown: unknown): string | undefined {
  const patch = patchOnly.safeParse(shown).data;
  if (patch) return patch.fileDiff;
  const lines = terminal.safeParse(shown).data;
  if (lines) return lines.map((line) => line.map((piece) => piece.text).join('')).join('\n');
  const list = todos.safeParse(shown).data;
  return list?.todos.map(({ description, status }) => `[${status.replaceAll('_', ' ')}] ${description}`).join('\n');
}
