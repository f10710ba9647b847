import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { onceEach } from '../../base/once.ts';
import { findImports } from '../../context/memory/expand-imports.ts';
import type { LoadedMemory, MemoryProblem } from '../../context/memory/loaded-memory.ts';
import { textLocale } from '../../protocol/words/numbers.ts';
import { LineIndex, type Span, type TextRange } from '../../text/text-range.ts';
import { configCatalogs } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';

/** The runtime reads no more of a file with instructions. */
export const MAX_BYTES = 100_000;

/** The mark of an import in a document. */
export interface Import extends Span {
  readonly path: string;
  /** The absolute path that it leads to. */
  readonly target: string;
  readonly range: TextRange;
}

export const importsIn = onceEach(({ text, path }: ConfigDocument): readonly Import[] => {
  const lines = new LineIndex(text);
  return findImports(text.slice(0, MAX_BYTES)).map((mark) => ({
    ...mark,
    target: resolve(dirname(path), mark.path),
    range: lines.rangeOf(mark),
  }));
});

/** What a session whose tools have accessed the document would know of it. */
export interface KnownMemory {
  /** Absent if its text is not loaded on its own. */
  readonly own?: LoadedMemory;
  /** The files that import it. */
  readonly importers: readonly LoadedMemory[];
  /** The document's path, and its path without links. */
  readonly paths: readonly string[];
  /** The problems of all loaded files. */
  readonly problems: readonly MemoryProblem[];
  /** The files that imports in the document lead to, as far as they were read. */
  readonly reached: ReadonlySet<string>;
}

/** Undefined in Restricted Mode. */
export async function knownMemory(file: ConfigDocument, workspace: Workspace): Promise<KnownMemory | undefined> {
  const loaded = await configCatalogs(workspace)?.memoryWith(file.path);
  if (!loaded) return undefined;
  const real = await realpath(file.path).catch(() => file.path);
  const paths = [...new Set([file.path, real])];
  const own = loaded.find(({ path }) => paths.includes(path));
  const importers = loaded.filter(({ imported }) => imported.some((path) => paths.includes(path)));
  const problems = loaded.flatMap((memory) => memory.problems);
  const failed = new Set(
    problems
      .filter(({ file: place }) => paths.includes(place))
      .map(({ path = '' }) => resolve(dirname(file.path), path)),
  );
  const everywhere = new Set(loaded.flatMap(({ path, imported }) => [path, ...imported]));
  const reached = importsIn(file).filter(({ target }) => everywhere.has(target) && !failed.has(target));
  return { ...(own && { own }), importers, paths, problems, reached: new Set(reached.map(({ target }) => target)) };
}

export function aboutTokens(tokens: number): string {
  return Math.round(tokens) === 1 ? l10n.t('about 1 token') : l10n.t('about {0} tokens', tokenNumber(tokens));
}

export function tokenNumber(tokens: number): string {
  return Math.round(tokens).toLocaleString(textLocale());
}
