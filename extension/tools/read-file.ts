import { z } from 'zod';
import { checkVisibility, type Visibility } from '../policy/ignore-rules.ts';
import { type AllowedPath, guardPath, type PathRefusal } from '../policy/path-guard.ts';
import { type OpenFailure, openRegularFile, readUpTo } from '../policy/regular-file.ts';
import type { ToolDisplay } from '../protocol/agent-event.ts';
import type { FilePort } from '../runtime/host.ts';
import { detectFileType } from './file-type.ts';
import { isWhole, type LineRange, type LineWindow, MAX_LINE_CHARS, MAX_LINES, windowOfLines } from './line-window.ts';
import { pathLabel, unverifiedPathLabel } from './path-label.ts';
import { decodeText, SNIFF_BYTES } from './text-codec.ts';
import { type Tool, type ToolContext, type ToolErrorType, type ToolResult, toolError } from './tool.ts';

/** Gemini CLI's limit, and about what one request to the API can carry. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** A larger SVG is a traced bitmap, not something to read. */
const MAX_SVG_BYTES = 1024 * 1024;

const DISPLAY_NAME = 'ReadFile';

const readFileSchema = z
  .strictObject({
    file_path: z.string().min(1).describe('Path of the file to read, relative to the workspace folder or absolute.'),
    start_line: z.int().min(1).optional().describe('First line to read, counted from 1.'),
    end_line: z.int().min(1).optional().describe('Last line to read, inclusive. Must not be before start_line.'),
  })
  .refine(({ start_line, end_line }) => end_line === undefined || end_line >= (start_line ?? 1), {
    path: ['end_line'],
    error: 'end_line must not be before start_line',
  });

type Arguments = z.infer<typeof readFileSchema>;

export function createReadFileTool(): Tool<typeof readFileSchema> {
  return {
    name: 'read_file',
    displayName: DISPLAY_NAME,
    kind: 'read',
    description:
      'Reads one file of the workspace. Text comes as it is in the editor, unsaved changes included; at most ' +
      `${MAX_LINES} lines unless end_line says otherwise, and a notice at the top says how to get the rest. ` +
      'Images (PNG, JPEG, WebP, HEIC), PDF, audio and video files are returned as media. ' +
      'Files hidden by .gitignore or .geminiignore cannot be read.',
    schema: readFileSchema,
    describe: (args, workspace) => unverifiedPathLabel(args['file_path'], workspace.roots()),
    execute: readFile,
  };
}

async function readFile(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const roots = context.workspace.roots();
  const guarded = await guardPath(args.file_path, roots);
  if (!guarded.allowed) {
    return failed(ERROR_OF_REFUSAL[guarded.reason], guarded.message, unverifiedPathLabel(args.file_path, roots));
  }
  const label = pathLabel(guarded, roots);
  const visibility = await checkVisibility(guarded);
  if (visibility.hidden) return failed('invalid_tool_params', hiddenMessage(label, visibility), label);
  const range = { start: args.start_line, end: args.end_line };
  try {
    context.signal.throwIfAborted();
    const unsaved = unsavedText(guarded, context.files);
    if (unsaved !== undefined) return readUnsaved(unsaved, label, range);
    return await readFromDisk(guarded.path, label, range, context.signal);
  } catch (error) {
    if (context.signal.aborted) return failed('cancelled', `Reading ${label} was cancelled.`, label);
    const detail = error instanceof Error ? error.message : String(error);
    return failed('read_content_failure', `Could not read ${label}: ${detail}`, label);
  }
}

/** The editor may know the file by the path the user opened or by the real one. */
function unsavedText({ path, editorPath }: AllowedPath, files: FilePort): string | undefined {
  return files.unsavedText(editorPath) ?? files.unsavedText(path);
}

function readUnsaved(text: string, label: string, range: LineRange): ToolResult {
  return Buffer.byteLength(text) > MAX_FILE_BYTES ? tooLarge(label, MAX_FILE_BYTES) : showText(text, label, range);
}

async function readFromDisk(path: string, label: string, range: LineRange, signal: AbortSignal): Promise<ToolResult> {
  const file = await openRegularFile(path);
  if (!file.opened) {
    const { type, message } = OPEN_FAILURES[file.reason];
    return failed(type, message(label), label);
  }
  try {
    if (file.size > MAX_FILE_BYTES) return tooLarge(label, MAX_FILE_BYTES);
    const head = Buffer.alloc(SNIFF_BYTES);
    const { bytesRead } = await file.handle.read(head, 0, SNIFF_BYTES, 0);
    const type = detectFileType(path, head.subarray(0, bytesRead));
    if (type.kind === 'binary') return cannotDisplay(label);
    const limit = type.kind === 'svg' ? MAX_SVG_BYTES : MAX_FILE_BYTES;
    const bytes = await readUpTo(file.handle, file.size, limit, signal);
    if (!bytes) return tooLarge(label, limit);
    if (!('mimeType' in type)) return showText(decodeText(bytes).text, label, range);
    const media = { inlineData: { data: bytes.toString('base64'), mimeType: type.mimeType } };
    return { content: [media], display: display(label, '') };
  } finally {
    await file.handle.close();
  }
}

function showText(text: string, label: string, range: LineRange): ToolResult {
  const window = windowOfLines(text, range);
  if (window.first > Math.max(window.total, 1)) {
    const message = `start_line ${window.first} is past the end of ${label}, which has ${window.total} lines.`;
    return failed('invalid_tool_params', message, label);
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
  if (!isWhole(window)) return `${window.first}–${window.last} of ${window.total}`;
  return window.hasCutLines ? 'long lines cut' : '';
}

function cannotDisplay(label: string): ToolResult {
  return { content: `Cannot display the content of binary file ${label}.`, display: display(label, 'binary file') };
}

function tooLarge(label: string, limit: number): ToolResult {
  return failed('file_too_large', `${label} is larger than ${limit / 1024 / 1024} MB and was not read.`, label);
}

function hiddenMessage(label: string, { by, source }: Extract<Visibility, { hidden: true }>): string {
  if (by === 'git_folder') return `${label} belongs to Git's own data, which is off limits.`;
  if (by === 'unreadable_rules') return `${label} was not read: the ignore rules in ${source} could not be checked.`;
  return `${label} is hidden by ${source} and cannot be read.`;
}

const ERROR_OF_REFUSAL: Readonly<Record<PathRefusal, ToolErrorType>> = {
  malformed: 'invalid_tool_params',
  no_workspace: 'path_not_in_workspace',
  outside_workspace: 'path_not_in_workspace',
  unverifiable: 'path_not_in_workspace',
  no_permission: 'permission_denied',
};

interface FailureText {
  readonly type: ToolErrorType;
  readonly message: (label: string) => string;
}

const OPEN_FAILURES: Readonly<Record<OpenFailure, FailureText>> = {
  missing: { type: 'file_not_found', message: (label) => `File not found: ${label}` },
  folder: { type: 'target_is_directory', message: (label) => `${label} is a folder, not a file.` },
  not_regular: { type: 'read_content_failure', message: (label) => `${label} is not a regular file.` },
  no_permission: { type: 'permission_denied', message: (label) => `Permission denied: ${label}` },
  changed_meanwhile: {
    type: 'read_content_failure',
    message: (label) => `${label} was replaced while it was being opened. Try again.`,
  },
  failed: { type: 'read_content_failure', message: (label) => `Could not open ${label}.` },
};

function failed(type: ToolErrorType, message: string, label: string): ToolResult {
  return { ...toolError(type, message), display: display(label, null) };
}

function display(label: string, resultSummary: string | null): ToolDisplay {
  return { name: DISPLAY_NAME, description: label, resultSummary, result: null };
}
