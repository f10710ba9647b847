import { type ToolErrorType, type ToolResult, toolError } from '../../ports/tool.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';

/** A card shows only the beginning. The model gets the whole text. */
const MAX_SHOWN_CHARS = 20_000;

/** A file name on one line: a line end in a name must not look like another result. */
export function nameText(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
    const quoted = JSON.stringify(character).slice(1, -1);
    return quoted === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : quoted;
  });
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The card of a search result. `toolName` is for people. */
export function searchDisplay(toolName: string, about: string, summary: string | null, text?: string): ToolDisplay {
  const result = text === undefined ? null : ({ type: 'text', text: beginningOf(text) } as const);
  return { name: toolName, description: about, resultSummary: summary, result };
}

export function failedSearch(toolName: string, about: string, type: ToolErrorType, message: string): ToolResult {
  return { ...toolError(type, message), display: searchDisplay(toolName, about, null) };
}

function beginningOf(text: string): string {
  return text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}\n…`;
}
