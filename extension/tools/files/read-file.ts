import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { type Tool, type ToolContext, type ToolResult, toolError } from '../../ports/tool.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { readContent } from './file-content.ts';
import { isWhole, type LineWindow, MAX_LINE_CHARS, MAX_LINES, type WantedLines, windowOfLines } from './line-window.ts';
import text from './read-file.md';
import { missingFile } from './similar-paths.ts';
import { guardForReading } from './tool-path.ts';

const DISPLAY_NAME = 'ReadFile';

const readFileSchema = once(() =>
  z
    .strictObject({
      file_path: z.string().min(1).describe('Path of the file to read, relative to the workspace folder or absolute.'),
      start_line: z.int().min(1).optional().describe('First line to read, counted from 1.'),
      end_line: z
        .int()
        .min(1)
        .optional()
        .describe(
          `Last line to read, inclusive. Default: ${MAX_LINES} lines from start_line. Lines over ${MAX_LINE_CHARS} characters are cut.`,
        ),
    })
    .refine(({ start_line, end_line }) => end_line === undefined || end_line >= (start_line ?? 1), {
      path: ['end_line'],
      error: 'end_line must not be before start_line',
    }),
);

type Arguments = z.infer<ReturnType<typeof readFileSchema>>;

export function createReadFileTool(): Tool<ReturnType<typeof readFileSchema>> {
  return {
    name: 'read_file',
    displayName: DISPLAY_NAME,
    kind: 'read',
    description: text.trim(),
    get schema() {
      return readFileSchema();
    },
    describe: (args, workspace) => unverifiedPathLabel(args['file_path'], workspace.roots()),
    touches: ({ file_path }) => [{ path: file_path, access: 'read' }],
    execute: readFile,
  };
}

async function readFile(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const target = await guardForReading(args.file_path, context);
  if (!target.ok) return failed(target.failed, target.label);
  const { label } = target;
  try {
    const content = await readContent(target, context.files, context.signal);
    context.reached?.(args.file_path, target.guarded);
    switch (content.kind) {
      case 'text':
        return showText(content.text, label, { start: args.start_line, end: args.end_line });
      case 'media':
        return { content: [content.part], display: display(label, '') };
      case 'failed':
        if (content.failed.error?.type !== 'file_not_found') return failed(content.failed, label);
        return failed(await missingFile(target, context, 'Find it with glob.'), label);
      default:
        return cannotDisplay(label);
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return failed(toolError('cancelled', `Reading ${label} was cancelled.`), label);
  }
}

function showText(text: string, label: string, range: WantedLines): ToolResult {
  const window = windowOfLines(text, range);
  if (window.first > Math.max(window.total, 1)) {
    const message = `start_line ${window.first} is past the end of ${label}, which has ${window.total} lines. Read an earlier part.`;
    return failed(toolError('invalid_tool_params', message), label);
  }
  return { content: `${noticeOf(window)}${window.text}`, display: display(label, summaryOf(window)) };
}

function noticeOf(window: LineWindow): string {
  const { first, last, total, hasCutLines } = window;
  const sentences = [
    ...(isWhole(window) ? [] : [`This is only part of the file: lines ${first}-${last} of ${total}.`]),
    ...(last < total ? [`To read on, call read_file with start_line ${last + 1}.`] : []),
    ...(hasCutLines ? [`Lines longer than ${MAX_LINE_CHARS} characters are cut.`] : []),
  ];
  return sentences.length === 0 ? '' : `[${sentences.join(' ')}]\n\n`;
}

function summaryOf(window: LineWindow): string {
  if (!isWhole(window)) return l10n.t('{0}–{1} of {2}', window.first, window.last, window.total);
  return window.hasCutLines ? l10n.t('long lines cut') : '';
}

function cannotDisplay(label: string): ToolResult {
  return {
    content: `Cannot display the content of binary file ${label}.`,
    display: display(label, l10n.t('binary file')),
  };
}

function failed(result: ToolResult, label: string): ToolResult {
  return { ...result, display: display(label, null) };
}

function display(label: string, resultSummary: string | null): ToolDisplay {
  return { name: DISPLAY_NAME, description: label, resultSummary, result: null };
}
