import type { Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { namedFailure } from '../../files/file-failure.ts';
import { type Tool, type ToolContext, type ToolResult, toolError } from '../../ports/tool.ts';
import { countText } from '../summary-words.ts';
import { type FileContent, readContent } from './file-content.ts';
import { type FoundFiles, findFiles, startOf } from './find-files.ts';
import { isWhole, windowOfLines } from './line-window.ts';
import type { ToolPath } from './tool-path.ts';

const DISPLAY_NAME = 'ReadManyFiles';
const END_MARKER = '--- End of files ---';
/** About a hundred thousand tokens. More would leave no room for the answer. */
const MAX_TOTAL_CHARS = 400_000;
/** The maximum for one request. */
const MAX_MEDIA_BYTES = 20 * 1024 * 1024;
const AT_ONCE = 8;
/** The limits of Gemini CLI. */
const SHOWN_PROCESSED = 10;
const SHOWN_SKIPPED = 5;

const filteringSchema = once(() =>
  z.strictObject({
    respect_git_ignore: z.boolean().optional().describe('Skip what .gitignore hides. Default: true.'),
    respect_gemini_ignore: z.boolean().optional().describe('Skip what .geminiignore hides. Default: true.'),
  }),
);

const readManyFilesSchema = once(() =>
  z.strictObject({
    include: z
      .array(z.string().min(1))
      .min(1)
      .describe('Paths, folders or glob patterns such as "src/**/*.ts", relative to the workspace folder or absolute.'),
    exclude: z.array(z.string().min(1)).optional().describe('Glob patterns of files to skip.'),
    recursive: z.boolean().optional().describe('Also read subfolders of the folders. Default: true.'),
    useDefaultExcludes: z.boolean().optional().describe('Skip build output, dependencies and archives. Default: true.'),
    file_filtering_options: filteringSchema()
      .optional()
      .describe('Which folders to look into. Hidden files themselves are only read if the user named them.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof readManyFilesSchema>>;

export function createReadManyFilesTool(): Tool<ReturnType<typeof readManyFilesSchema>> {
  return {
    name: 'read_many_files',
    displayName: DISPLAY_NAME,
    kind: 'read',
    description:
      'Reads all files that match paths or glob patterns, each after a line with its path. Use it for a few small files ' +
      'that you need whole, such as a folder of configuration files. For large files, or if you only need parts, use ' +
      'grep_search and read_file. Images, PDF, audio and video are only included if a pattern names them or their ' +
      'extension. The end lists what was skipped or did not fit.',
    get schema() {
      return readManyFilesSchema();
    },
    describe: ({ include }) => (Array.isArray(include) ? include.map(String).join(', ') : ''),
    touches: ({ include }) => include.map((pattern) => ({ path: startOf(pattern), access: 'read' })),
    execute: readManyFiles,
  };
}

async function readManyFiles(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const description = args.include.join(', ');
  try {
    const found = await findFiles(
      {
        include: args.include,
        exclude: args.exclude ?? [],
        recursive: args.recursive ?? true,
        useDefaultExcludes: args.useDefaultExcludes ?? true,
        respectGitIgnore: args.file_filtering_options?.respect_git_ignore ?? true,
        respectGeminiIgnore: args.file_filtering_options?.respect_gemini_ignore ?? true,
      },
      context,
    );
    const collected = await collect(found, context);
    return { content: collected.parts, display: { name: DISPLAY_NAME, description, ...shown(collected) } };
  } catch (error) {
    const detail = namedFailure(error);
    const failed = context.signal.aborted
      ? toolError('cancelled', 'Reading the files was cancelled.')
      : toolError('read_many_files_search_error', `The files could not be looked for: ${detail}`);
    return { ...failed, display: { name: DISPLAY_NAME, description, resultSummary: null, result: null } };
  }
}

interface Skipped {
  readonly label: string;
  readonly reason: string;
}

interface Collected {
  readonly parts: readonly Part[];
  readonly processed: readonly string[];
  readonly skipped: readonly Skipped[];
}

async function collect({ files, skipped: notRead, notes }: FoundFiles, context: ToolContext): Promise<Collected> {
  const parts: Part[] = [];
  const processed: string[] = [];
  const skipped: Skipped[] = [...notRead];
  let [chars, mediaBytes] = [0, 0];
  for (let first = 0; first < files.length; first += AT_ONCE) {
    const batch = files.slice(first, first + AT_ONCE);
    const contents = await Promise.all(
      batch.map(({ target, isNamed }) => readContent(target, context.files, context.signal, isNamed)),
    );
    for (const [index, content] of contents.entries()) {
      const target = batch[index]?.target;
      if (!target) continue;
      const made = partsOf(target, content);
      if (typeof made === 'string') {
        skipped.push({ label: target.label, reason: made });
        continue;
      }
      const size = made.reduce((sum, part) => sum + (part.text?.length ?? 0), 0);
      const media = content.kind === 'media' ? content.bytes : 0;
      if (chars + size > MAX_TOTAL_CHARS || mediaBytes + media > MAX_MEDIA_BYTES) {
        skipped.push({ label: target.label, reason: 'too much for one answer: read it with read_file' });
        continue;
      }
      [chars, mediaBytes] = [chars + size, mediaBytes + media];
      parts.push(...made);
      processed.push(target.label);
    }
    if (chars > MAX_TOTAL_CHARS * 0.95 && first + AT_ONCE < files.length) {
      const left = files.slice(first + AT_ONCE).map(({ target }) => target.label);
      skipped.push(...left.map((label) => ({ label, reason: 'too much for one answer: read it with read_file' })));
      break;
    }
  }
  return { parts: [...parts, { text: ending(processed, skipped, notes) }], processed, skipped };
}

/** The parts of one file for the model, or the reason why it is skipped. */
function partsOf({ label }: ToolPath, content: FileContent): Part[] | string {
  switch (content.kind) {
    case 'text': {
      const window = windowOfLines(content.text, {});
      const { first, last, total } = window;
      const notice = isWhole(window)
        ? ''
        : `[This is only part of the file: lines ${first}-${last} of ${total}. Read on with read_file, start_line ${last + 1}.]\n`;
      const long = window.hasCutLines ? '[Long lines are cut.]\n' : '';
      return [{ text: `--- ${label} ---\n${notice}${long}${window.text}\n` }];
    }
    case 'media':
      return [{ text: `--- ${label} ---\n` }, content.part];
    case 'binary':
      return 'binary file';
    case 'left_out':
      return `${content.type} file: name it or its extension to include it`;
    case 'failed':
      return content.failed.error?.message ?? 'could not be read';
  }
}

const MAX_SKIPPED_FOR_MODEL = 50;

function ending(processed: readonly string[], skipped: readonly Skipped[], notes: readonly string[]): string {
  const none = processed.length === 0 ? ['No file was read.'] : [];
  const lines = skipped.slice(0, MAX_SKIPPED_FOR_MODEL).map(({ label, reason }) => `- ${label}: ${reason}`);
  const more = skipped.length > lines.length ? [`- and ${skipped.length - lines.length} more`] : [];
  const skippedLines = lines.length > 0 ? ['Skipped:', ...lines, ...more] : [];
  return [END_MARKER, ...none, ...notes, ...skippedLines].join('\n');
}

function shown({ processed, skipped }: Collected): { resultSummary: string; result: { type: 'text'; text: string } } {
  const list = (lines: readonly string[], limit: number): string[] =>
    lines.length > limit ? [...lines.slice(0, limit), l10n.t('and {0} more', lines.length - limit)] : [...lines];
  const skippedLines = skipped.map(({ label, reason }) => `${label} (${reason})`);
  const text = [
    ...list(processed, SHOWN_PROCESSED),
    ...(skipped.length > 0 ? [l10n.t('Skipped:'), ...list(skippedLines, SHOWN_SKIPPED)] : []),
  ].join('\n');
  const files = countText(processed.length, 'file');
  const resultSummary = skipped.length > 0 ? l10n.t('{0}, {1} skipped', files, skipped.length) : files;
  return { resultSummary, result: { type: 'text', text } };
}
