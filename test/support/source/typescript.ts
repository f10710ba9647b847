import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { repoRoot } from '../repo.ts';

export interface Source {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export function sourcesIn(folder: string): Source[] {
  const names = readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({
      path: `${folder}/${name.replaceAll('\\', '/')}`,
      text: readFileSync(join(repoRoot, folder, name), 'utf8'),
    }));
}

/** Uses the grammar with which the texts are exported. */
export async function typeScriptParser(): Promise<Parser> {
  const { resolve } = createRequire(import.meta.url);
  await Parser.init();
  const grammar = join(dirname(resolve('@vscode/l10n-dev')), 'tree-sitter-typescript.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(new Uint8Array(readFileSync(grammar))));
  return parser;
}
