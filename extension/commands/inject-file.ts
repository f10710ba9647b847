import { stat } from 'node:fs/promises';
import type { ToolContext, ToolResult } from '../ports/tool.ts';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import { attachmentPart, mediaPart } from '../protocol/agent/reference-parts.ts';
import { readContent } from '../tools/files/file-content.ts';
import { createReadManyFilesTool } from '../tools/files/read-many-files.ts';
import { guardForReading, type ToolPath } from '../tools/files/tool-path.ts';

export type InjectedFile = { readonly parts: readonly ContentPart[] } | { readonly problem: string };

/** Reads the content for `@{path}`: a file, a picture, or all files in a folder. The same guards apply as for tools. */
export async function injectFile(path: string, id: string, context: ToolContext): Promise<InjectedFile> {
  const isFolder = await isFolderAt(path, context);
  const found = await guardForReading(path, context, { isFolder });
  if (!found.ok) return { problem: messageOf(found.failed) };
  return isFolder ? readFolder(found, id, context) : readFile(found, id, context);
}

async function isFolderAt(path: string, context: ToolContext): Promise<boolean> {
  const found = await guardForReading(path, context, { isFolder: true });
  if (!found.ok) return false;
  return stat(found.guarded.path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function readFile(found: ToolPath, id: string, { files, signal }: ToolContext): Promise<InjectedFile> {
  const { guarded, label } = found;
  const content = await readContent(found, files, signal);
  const about = { id, label, path: guarded.relativePath };
  switch (content.kind) {
    case 'text':
      return { parts: [attachmentPart({ ...about, kind: 'file' }, content.text)] };
    case 'media': {
      const { data = '', mimeType = '' } = content.part.inlineData ?? {};
      const kind = mimeType.startsWith('image/') ? 'image' : 'document';
      return { parts: [mediaPart({ ...about, kind }, data, mimeType)] };
    }
    case 'failed':
      return { problem: messageOf(content.failed) };
    default:
      return { problem: `${label} is neither text nor a picture or document.` };
  }
}

async function readFolder({ guarded, label }: ToolPath, id: string, context: ToolContext): Promise<InjectedFile> {
  const tool = createReadManyFilesTool();
  const result = await tool.execute(tool.schema.parse({ include: [guarded.path] }), context);
  if (result.error) return { problem: messageOf(result) };
  const { content } = result;
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
  return { parts: [attachmentPart({ id, kind: 'folder', label, path: guarded.relativePath }, text)] };
}

function messageOf({ error }: ToolResult): string {
  return error?.message ?? '';
}
