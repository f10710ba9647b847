import * as z from 'zod';
import { once } from '../../base/once.ts';
import { withSystemLineEnds } from '../../files/line-ends.ts';
import type { EditorPort } from '../../ports/editor.ts';
import { type Tool, toolError } from '../../ports/tool.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { asInFile, type Computed, editActions } from './edit-tool.ts';
import { omissionPlaceholders, placeholderMessage } from './omission-placeholders.ts';

const DISPLAY_NAME = 'WriteFile';

const writeFileSchema = once(() =>
  z.strictObject({
    file_path: z.string().min(1).describe('Path of the file to write, relative to the workspace folder or absolute.'),
    content: z
      .string()
      .describe('The whole content of the file. It replaces everything that is there, so nothing may be left out.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof writeFileSchema>>;

export function createWriteFileTool({
  editor,
}: {
  readonly editor?: EditorPort;
} = {}): Tool<ReturnType<typeof writeFileSchema>> {
  return {
    name: 'write_file',
    displayName: DISPLAY_NAME,
    kind: 'edit',
    description:
      'Creates a file, or replaces the whole content of one; missing folders are created. Use it for new files, and if most ' +
      'of a small file changes. To change part of a file, use replace: it costs less and keeps what you did not read. ' +
      'An existing file keeps its encoding and line ends. The user may change the content before accepting it.',
    get schema() {
      return writeFileSchema();
    },
    describe: (args, workspace) => unverifiedPathLabel(args['file_path'], workspace.roots()),
    ...editActions<Arguments>(
      {
        displayName: DISPLAY_NAME,
        compute: (args, { label }, before) => Promise.resolve(compute(args, label, before)),
        // The model wrote the content for the file as it was.
        mayRecompute: () => false,
      },
      editor,
    ),
  };
}

function compute({ content }: Arguments, label: string, before: string | null): Computed {
  const placeholders = omissionPlaceholders(content).filter((line) => !before?.includes(line));
  if (placeholders.length > 0) {
    return { ok: false, failed: toolError('invalid_tool_params', placeholderMessage(placeholders, 'content')) };
  }
  if (before === null) return { ok: true, after: withSystemLineEnds(content), done: `Created ${label}.` };
  // The model doesn't decide whether a file has a byte order mark.
  const after = asInFile(before, content.replace(/^\uFEFF/, ''));
  if (after !== before) return { ok: true, after, done: `Overwrote ${label}.` };
  const message = `${label} already has exactly this content. Nothing was written.`;
  return { ok: false, failed: toolError('edit_no_change', message) };
}
