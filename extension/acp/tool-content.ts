import { resolve } from 'node:path';
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import type { DisplayContent } from '../protocol/agent/agent-event.ts';
import type { ApprovalDetails } from '../protocol/agent/approval.ts';
import { plainTerminalText } from '../protocol/words/terminal-lines.ts';

/** Enough to follow a command. The whole output is in the log, and in a file if it is long. */
const MAX_OUTPUT = 16_000;

/** A file before and after an edit, by its absolute path. Null if there was no file. */
export interface EditedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

export function diffContent({ path, before, after }: EditedFile): ToolCallContent {
  return { type: 'diff', path, oldText: before, newText: after };
}

/**
 * The result of a call. `path` is the file that its arguments name; the path in a diff is only a label, which starts
 * from `root`.
 */
export function displayContent(
  shown: DisplayContent | null | undefined,
  path: string | undefined,
  root: string,
): ToolCallContent[] {
  switch (shown?.type) {
    case 'text':
      return shown.text === '' ? [] : [textContent(shown.text)];
    case 'diff': {
      const { path: label = '', beforeText: before, afterText: after } = shown;
      return [diffContent({ path: path ?? resolve(root, label), before, after })];
    }
    case 'terminal': {
      const output = plainTerminalText(shown.ansi ?? '')
        .slice(-MAX_OUTPUT)
        .trim();
      const ended = shown.exitCode ? [`Exit code ${shown.exitCode}`] : [];
      const lines = [...(output === '' ? [] : [fenced(output)]), ...ended];
      return lines.length === 0 ? [] : [textContent(lines.join('\n\n'))];
    }
    default:
      return [];
  }
}

/** What a person has to see before they allow a call. */
export function approvalContent(details: ApprovalDetails, edits: readonly EditedFile[]): ToolCallContent[] {
  switch (details.type) {
    case 'edit':
      if (edits.length > 0) return edits.map(diffContent);
      return details.files.map(({ path, patch }) => textContent(`${path}\n\n${fenced(patch, 'diff')}`));
    case 'exec': {
      const place = details.sandbox === 'inside' ? `${details.folder}, in the sandbox` : details.folder;
      const reason = details.reason === undefined ? [] : [details.reason];
      return [textContent([fenced(details.command, 'sh'), `In ${place}.`, ...reason].join('\n\n'))];
    }
    case 'fetch':
      return [textContent(details.urls.join('\n'))];
    case 'mcp':
      return [textContent(`${details.server}: ${details.tool}\n\n${fenced(details.args, 'json')}`)];
    case 'plan':
    case 'info':
      return [textContent(details.text)];
    case 'ask_user':
      return details.questions.map(({ question }) => textContent(question));
  }
}

/** The fence is longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(0, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
