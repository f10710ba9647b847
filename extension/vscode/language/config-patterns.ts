import { join } from 'node:path';
import type { Host } from '../../ports/host.ts';

/** Files by place and name. Without a folder, they can be anywhere. */
export interface FilePattern {
  /** Absolute. */
  readonly folder?: string;
  readonly pattern: string;
}

/** What decides, besides the place of a file, whether it configures the agent. */
export interface ConfigPlaces {
  /** The files and folders of `gantry.policy.paths`. Absolute. */
  readonly policyPaths: readonly string[];
  /** The folder with the shipped rules. */
  readonly shippedPolicies: string;
  /** The names of files with instructions, besides the usual ones. */
  readonly memoryNames: readonly string[];
  /** The open folders that are extensions themselves. Absolute. */
  readonly extensions: readonly string[];
}

/** Below `.gemini`, and below the folder of an extension. */
const IN_GEMINI = ['policies/*.toml', 'agents/*.md', 'commands/**/*.toml'];

const IN_EXTENSION = [...IN_GEMINI, 'hooks/hooks.json'];

const ANYWHERE = [
  ...IN_GEMINI.map((pattern) => `**/.gemini/${pattern}`),
  ...IN_EXTENSION.map((pattern) => `**/.gemini/extensions/*/${pattern}`),
  '**/.gemini/settings.json',
  '**/{SKILL.md,gemini-extension.json}',
  // VS Code's, in a project and in the user's profile.
  '**/{.vscode,User}/mcp.json',
  '**/{GEMINI,AGENTS}.md',
  // The administrator's rules and settings, in Gemini CLI's folders.
  '**/{gemini-cli,GeminiCli}/policies/*.toml',
  '**/{gemini-cli,GeminiCli}/{settings,system-defaults}.json',
];

/**
 * The files that the language server knows. They are patterns, so that VS Code finds them without the code of the
 * server. A test compares both.
 */
export function configFilePatterns({
  policyPaths,
  shippedPolicies,
  memoryNames,
  extensions,
}: ConfigPlaces): FilePattern[] {
  return [
    ...[...ANYWHERE, ...memoryNames.map((name) => `**/${literal(name)}`)].map((pattern) => ({ pattern })),
    ...extensions.flatMap((folder) => IN_EXTENSION.map((pattern) => ({ folder, pattern }))),
    ...[...policyPaths, shippedPolicies].map((folder) => ({ folder, pattern: '*.toml' })),
    ...policyPaths.filter((path) => path.endsWith('.toml')).map(asFile),
  ];
}

export function configPlaces(
  { settings, assets }: Pick<Host, 'settings' | 'assets'>,
  found: Pick<ConfigPlaces, 'memoryNames' | 'extensions'>,
): ConfigPlaces {
  return { policyPaths: settings.policyPaths(), shippedPolicies: join(assets, 'policies'), ...found };
}

/** Selects documents. VS Code and the protocol write a pattern within a folder differently. */
export function documentFilters<Within>(
  patterns: readonly FilePattern[],
  within: (folder: string, pattern: string) => Within,
): { readonly scheme: string; readonly pattern: string | Within }[] {
  return patterns.flatMap(({ folder, pattern }) =>
    FILE_SCHEMES.map((scheme) => ({ scheme, pattern: folder === undefined ? pattern : within(folder, pattern) })),
  );
}

/** A new file has an address of its own until it is saved. */
const FILE_SCHEMES = ['file', 'untitled'] as const;

function asFile(path: string): FilePattern {
  const [, folder = '', name = ''] = /^(.*[\\/])(.*)$/.exec(path) ?? [];
  return { folder, pattern: literal(name) };
}

function literal(name: string): string {
  return name.replace(/[[{*?]/g, '[$&]');
}
