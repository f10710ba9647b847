import { basename, dirname, sep } from 'node:path';
import type { Tier } from '../policy/policy-types.ts';
import { adminFolder } from '../policy/rules/policy-folders.ts';
import type { StartOptions } from './start-options.ts';

/** The kinds of files that configure the agent. */
export type DocumentKind =
  | { readonly kind: 'policy'; readonly tier: Tier }
  | { readonly kind: 'agent' | 'skill' | 'command' | 'settings' | 'hooks' | 'servers' | 'extension' | 'memory' };

type PlainKind = Exclude<DocumentKind['kind'], 'policy'>;

const PLAIN: Readonly<Record<string, PlainKind>> = {
  'gemini-extension.json': 'extension',
  'mcp.json': 'servers',
  '.mcp.json': 'servers',
  'SKILL.md': 'skill',
};

/** Says what kind of file this is by its place and name. Undefined for a file that doesn't configure the agent. */
export function documentKind(path: string, options: StartOptions): DocumentKind | undefined {
  const { policyPaths, shippedPolicies, home, contextFileNames } = options;
  if (path.endsWith('.toml')) {
    if (policyPaths.some((named) => named === path || dirname(path) === named)) return { kind: 'policy', tier: 'user' };
    if (dirname(path) === shippedPolicies) return { kind: 'policy', tier: 'default' };
    if (dirname(path) === adminFolder()) return { kind: 'policy', tier: 'admin' };
  }
  const name = basename(path);
  const plain = PLAIN[name];
  if (plain) return { kind: plain };
  const inGemini = belowGemini(path);
  if (inGemini) return kindInGemini(inGemini.parts, inGemini.folder === home ? 'user' : 'workspace');
  const memory = contextFileNames.length > 0 ? contextFileNames : ['GEMINI.md', 'AGENTS.md'];
  if (memory.includes(name)) return { kind: 'memory' };
  return undefined;
}

/** The part of a path below the last `.gemini`, and the folder that contains it. */
function belowGemini(path: string): { readonly folder: string; readonly parts: readonly string[] } | undefined {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('.gemini');
  if (at === -1) return undefined;
  return { folder: parts.slice(0, at).join(sep) || sep, parts: parts.slice(at + 1) };
}

function kindInGemini(parts: readonly string[], tier: 'user' | 'workspace'): DocumentKind | undefined {
  // An extension has the same folders as `.gemini` itself.
  const isOfExtension = parts[0] === 'extensions' && parts.length > 2;
  const [first = '', ...rest] = isOfExtension ? parts.slice(2) : parts;
  const last = parts.at(-1) ?? '';
  if (last === 'GEMINI.md' || last === 'AGENTS.md') return { kind: 'memory' };
  if (first === 'policies' && rest.length === 1 && last.endsWith('.toml')) {
    return { kind: 'policy', tier: isOfExtension ? 'extension' : tier };
  }
  if (first === 'agents' && rest.length === 1 && last.endsWith('.md')) return { kind: 'agent' };
  if (first === 'commands' && last.endsWith('.toml')) return { kind: 'command' };
  if (first === 'hooks' && last === 'hooks.json') return { kind: 'hooks' };
  if (first === 'settings.json' && !isOfExtension) return { kind: 'settings' };
  return undefined;
}
