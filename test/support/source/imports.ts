import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repoRoot } from '../repo.ts';

export interface Import {
  /** Relative to the repository, with slashes. */
  readonly from: string;
  /** A file of the repository, or a package. */
  readonly target: string;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
}

/** The source files of the product, without tests. */
export const sources: readonly string[] = ['extension', 'webview'].flatMap((folder) =>
  readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);

export function allImports(): Import[] {
  return sources.flatMap(importsOf);
}

function importsOf(from: string): Import[] {
  const text = readFileSync(join(repoRoot, from), 'utf8');
  const found: Import[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s)?([^;]*?from\s+)?'([^']+)';/gm)) {
    const named = match[2] ?? '';
    const allTypes = /^\{(?:\s*type [^,}]+,?)+\s*\}\s*from/.test(named);
    found.push({
      from,
      target: resolve(from, match[3] ?? ''),
      typeOnly: match[1] !== undefined || allTypes,
      dynamic: false,
    });
  }
  for (const match of text.matchAll(/\bimport\('([^']+)'\)/g)) {
    found.push({ from, target: resolve(from, match[1] ?? ''), typeOnly: false, dynamic: true });
  }
  return found;
}

function resolve(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier;
}
