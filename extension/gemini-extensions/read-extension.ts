import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { FilesRead } from '../files/from-files.ts';
import { type Beginning, readBeginning } from '../files/read-beginning.ts';
import { isOfExtension } from '../ports/extension-folder.ts';
import { readJson } from '../text/json-with-comments.ts';
import type { ExtensionInstall, ExtensionProblem } from './gemini-extension.ts';
import { type ReadManifest, readManifest } from './read-manifest.ts';

const MANIFEST = 'gemini-extension.json';
const INSTALL = '.gemini-extension-install.json';
/** Real manifests have a few KB. */
const MAX_BYTES = 1024 * 1024;

const installed = once(() =>
  z.looseObject({
    type: z.enum(['git', 'local', 'link', 'github-release']),
    source: z.string().min(1),
  }),
);

/** Reads the extension in a folder where Gemini CLI installed it. Returns nothing for an entry that is not a folder. */
export async function readExtension(entry: string, root: string | undefined, files: FilesRead): Promise<ReadManifest> {
  await Promise.all([files.place(entry), files.stamp(join(entry, INSTALL))]);
  const isFolder = await stat(entry).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return { problems: [] };
  const install = await readInstall(entry);
  if ('problem' in install) return { problems: [install.problem] };
  return readFolder(entry, root, install.install, files);
}

async function readFolder(
  entry: string,
  root: string | undefined,
  install: ExtensionInstall | undefined,
  files: FilesRead,
): Promise<ReadManifest> {
  // A linked extension stays in its own folder; Gemini CLI stores only the path.
  const where = install?.type === 'link' ? install.source : entry;
  if (isAbsolute(where)) await Promise.all([files.place(where), files.stamp(join(where, MANIFEST))]);
  const folder = isAbsolute(where) ? await realpath(where).catch(() => undefined) : undefined;
  if (folder === undefined) {
    const text = l10n.t('The folder that the extension is linked to does not exist: {0}.', where);
    return { problems: [{ file: join(entry, INSTALL), line: 1, text }] };
  }
  const file = join(folder, MANIFEST);
  const written = join(where, MANIFEST);
  const read = await readBeginning(written, MAX_BYTES, (real) => isOfExtension({ folder }, real), files.view.open);
  const text = textOf(read);
  if ('problem' in text) return { problems: [{ file, line: 1, text: text.problem }] };
  const { extension, problems } = readManifest(text.text, { manifest: text.path, folder, root });
  return { ...(extension && { extension: { ...extension, ...(install && { install }) } }), problems };
}

type Install = { readonly install: ExtensionInstall | undefined } | { readonly problem: ExtensionProblem };

/** Reads Gemini CLI's install record; there is none for an extension that was copied there by hand. */
async function readInstall(folder: string): Promise<Install> {
  const file = join(folder, INSTALL);
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return { install: undefined };
  const read = await readBeginning(file, MAX_BYTES, (path) => isOfExtension({ folder: real }, path));
  if ('failed' in read && read.failed === 'missing') return { install: undefined };
  const text = textOf(read);
  if ('problem' in text) return { problem: { file, line: 1, text: text.problem } };
  const json = readJson(text.text);
  if ('problem' in json)
    return { problem: { file, line: json.line, text: l10n.t('The file is not valid JSON: {0}.', json.problem) } };
  const { success, data } = installed().safeParse(json.value);
  if (success) return { install: { type: data.type, source: data.source } };
  return { problem: { file, line: 1, text: l10n.t('The source of this extension is unknown.') } };
}

function textOf(read: Beginning): { readonly text: string; readonly path: string } | { readonly problem: string } {
  if ('text' in read) return read.isCut ? { problem: l10n.t('It is larger than 1 MB.') } : read;
  if (read.failed === 'missing') return { problem: l10n.t('The extension has no {0}.', MANIFEST) };
  if (read.failed === 'refused') return { problem: l10n.t("It links to a file outside the extension's folder.") };
  return { problem: l10n.t('The file could not be read ({0}).', read.failed) };
}
