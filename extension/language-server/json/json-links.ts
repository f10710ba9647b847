import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { DocumentLink } from 'vscode-languageserver-types';
import { expandForExtension } from '../../ports/extension-folder.ts';
import type { JsonNode } from '../../text/json-tree.ts';
import type { Span } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { jsonOf, quotedIn } from './json-document.ts';
import type { JsonSource } from './json-source.ts';
import { firstCommand, isPath } from './started-program.ts';
import { writtenGroups } from './written-hooks.ts';

/** More than anybody has, and each is looked for. */
const MAX_LINKS = 200;

interface NamedPath extends Span {
  readonly path: string;
}

/** The scripts and instruction files that a file names, as far as they are there. */
export async function jsonLinks(
  file: ConfigDocument,
  source: JsonSource,
  workspace: Workspace,
): Promise<readonly DocumentLink[]> {
  if (!workspace.isTrusted) return [];
  const named = [...ofHooks(file), ...ofServers(file, source), ...ofManifest(file, source)].slice(0, MAX_LINKS);
  const links = named.map(async ({ path, ...span }): Promise<readonly DocumentLink[]> => {
    const folder = source.kind === 'extension' ? source.extension?.folder : source.folder;
    const target = resolve(folder ?? homedir(), expanded(path, source));
    return (await isFile(target)) ? [{ range: file.rangeOf(span), target: workspace.uriOf(target) }] : [];
  });
  return (await Promise.all(links)).flat();
}

function expanded(path: string, { extension, hooks, folder }: JsonSource): string {
  const owner = extension ?? hooks?.extension;
  const ofExtension = owner ? expandForExtension(path, owner, folder) : path;
  return folder === undefined ? ofExtension : ofExtension.replace(PROJECT, () => folder);
}

const PROJECT = /\$(?:GEMINI_PROJECT_DIR\b|\{(?:GEMINI_PROJECT_DIR|workspaceFolder|workspacePath)\})/g;

function ofHooks(file: ConfigDocument): readonly NamedPath[] {
  const { places } = jsonOf(file);
  return writtenGroups(jsonOf(file)).flatMap(({ hooks }) =>
    hooks.flatMap(({ path }) => {
      const written = textOf(places.at([...path, 'command'])?.node, file.text);
      const words = written ? firstCommand(written.path) : [];
      return words
        .filter(({ text }) => isPath(text))
        .map(({ text, start, end }) => ({
          path: text,
          start: (written?.start ?? 0) + start,
          end: (written?.start ?? 0) + end,
        }));
    }),
  );
}

function ofServers(file: ConfigDocument, { servers }: JsonSource): readonly NamedPath[] {
  const entries = (servers && jsonOf(file).places.at([servers.key])?.node?.entries) ?? [];
  return entries
    .flatMap(({ node }) => node?.entries ?? [])
    .flatMap(({ name, node }) => {
      const texts = name === 'command' ? [node] : name === 'args' ? (node?.items ?? []) : [];
      return texts.flatMap((text) => textOf(text, file.text) ?? []);
    })
    .filter(({ path }) => isPath(path));
}

function ofManifest(file: ConfigDocument, { kind }: JsonSource): readonly NamedPath[] {
  const named = kind === 'extension' ? jsonOf(file).places.at(['contextFileName'])?.node : undefined;
  return [named, ...(named?.items ?? [])].flatMap((node) => textOf(node, file.text) ?? []);
}

function textOf(node: JsonNode | undefined, source: string): NamedPath | undefined {
  const written = node && quotedIn(source, node);
  return written && { path: written.text, ...written.inner };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
