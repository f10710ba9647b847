import { basename, dirname, relative, sep } from 'node:path';
import { ownValue } from '../base/objects.ts';
import type { LayerName } from '../gemini-config/gemini-settings.ts';
import { settingsFiles, systemDefaultsFile } from '../gemini-config/settings-files.ts';
import type { Tier } from '../policy/policy-types.ts';
import { adminFolder } from '../policy/rules/policy-folders.ts';
import type { StartOptions } from './start-options.ts';

/** The kinds of files that configure the agent. */
export type DocumentKind =
  | { readonly kind: 'policy'; readonly tier: Tier }
  | JsonKind
  | { readonly kind: 'agent' | 'skill' | 'command' | 'memory' };

/** The kinds of JSON files. */
export type JsonKind =
  | { readonly kind: 'settings'; readonly layer: LayerName }
  | { readonly kind: 'servers'; readonly scope: 'project' | 'user' }
  | { readonly kind: 'hooks' | 'extension' };

const PLAIN: Readonly<Record<string, DocumentKind>> = {
  'gemini-extension.json': { kind: 'extension' },
  'SKILL.md': { kind: 'skill' },
};

/** The folders of VS Code that have an `mcp.json`: in a project, and the user's. */
const WITH_SERVERS: Readonly<Record<string, DocumentKind>> = {
  '.vscode': { kind: 'servers', scope: 'project' },
  User: { kind: 'servers', scope: 'user' },
};

/** The usual names of files with instructions. */
const MEMORY_NAMES: readonly string[] = ['GEMINI.md', 'AGENTS.md'];

/** What makes files configure the agent besides their own place and name. */
export interface KnownPlaces {
  /** The names of files with instructions in Gemini CLI's settings. */
  readonly memoryNames: readonly string[];
  /** Absolute. The folders of extensions that are not below `.gemini`, because they are being developed. */
  readonly extensions: readonly string[];
}

/** Says what kind of file this is by its place and name. Undefined for a file that doesn't configure the agent. */
export function documentKind(
  path: string,
  options: StartOptions,
  { memoryNames = [], extensions = [] }: Partial<KnownPlaces> = {},
): DocumentKind | undefined {
  const { policyPaths, shippedPolicies, home, contextFileNames } = options;
  if (path.endsWith('.toml')) {
    if (policyPaths.some((named) => named === path || dirname(path) === named)) return { kind: 'policy', tier: 'user' };
    if (dirname(path) === shippedPolicies) return { kind: 'policy', tier: 'default' };
    if (dirname(path) === adminFolder()) return { kind: 'policy', tier: 'admin' };
  }
  const name = basename(path);
  const plain = name === 'mcp.json' ? ownValue(WITH_SERVERS, basename(dirname(path))) : ownValue(PLAIN, name);
  if (plain) return plain;
  const layer = path.endsWith('.json') ? administratorsLayer(path) : undefined;
  if (layer) return { kind: 'settings', layer };
  const inGemini = belowGemini(path);
  const known = inGemini && kindInGemini(inGemini.parts, inGemini.folder === home ? 'user' : 'workspace');
  const developed = extensions.find((folder) => path.startsWith(`${folder}${sep}`));
  const ofExtension = developed === undefined ? undefined : kindInExtension(relative(developed, path).split(sep));
  if (known ?? ofExtension) return known ?? ofExtension;
  // Files that are not loaded, because settings name others, say so.
  return [...MEMORY_NAMES, ...contextFileNames, ...memoryNames].includes(name) ? { kind: 'memory' } : undefined;
}

function administratorsLayer(path: string): LayerName | undefined {
  const places = { environment: process.env, home: '', root: undefined, platform: process.platform };
  if (path === systemDefaultsFile(places)) return 'defaults';
  return settingsFiles(places).some((file) => file.source === 'system' && file.path === path) ? 'system' : undefined;
}

/** The part of a path below the last `.gemini`, and the folder that contains it. */
function belowGemini(path: string): { readonly folder: string; readonly parts: readonly string[] } | undefined {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('.gemini');
  if (at === -1) return undefined;
  return { folder: parts.slice(0, at).join(sep) || sep, parts: parts.slice(at + 1) };
}

function kindInGemini(parts: readonly string[], tier: 'user' | 'workspace'): DocumentKind | undefined {
  if (parts[0] === 'extensions' && parts.length > 2) return kindInExtension(parts.slice(2));
  if (parts[0] === 'settings.json') return { kind: 'settings', layer: tier === 'user' ? 'user' : 'project' };
  return kindInFolder(parts, tier);
}

function kindInExtension(parts: readonly string[]): DocumentKind | undefined {
  return parts[0] === 'hooks' && parts.at(-1) === 'hooks.json' ? { kind: 'hooks' } : kindInFolder(parts, 'extension');
}

/** An extension has the same folders as `.gemini`. */
function kindInFolder([first, ...rest]: readonly string[], tier: Tier): DocumentKind | undefined {
  const last = rest.at(-1) ?? '';
  if (first === 'policies' && rest.length === 1 && last.endsWith('.toml')) return { kind: 'policy', tier };
  if (first === 'agents' && rest.length === 1 && /^[^_].*\.md$/.test(last)) return { kind: 'agent' };
  if (first === 'commands' && last.endsWith('.toml')) return { kind: 'command' };
  return undefined;
}
