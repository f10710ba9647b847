import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isMissing } from '../../files/error-code.ts';
import { type ExtensionFolder, isOfExtension } from '../../ports/extension-folder.ts';
import type { Tier } from '../policy-types.ts';
import { type FoundPolicyFile, type FoundPolicyFiles, readPolicyFolder, readPolicyPath } from './read-policy-file.ts';
import type { PolicyProblem } from './rule-set.ts';

/** Where rules come from. All paths are absolute. */
export interface PolicyPlaces {
  readonly shipped: string;
  /** The folder that has `.gemini`. */
  readonly home: string;
  /** The folders the user opened; those of an untrusted workspace are not looked at. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  /**
   * Files or folders the user named, of the same tier as their own folder. They add to it, while `--policy` of Gemini
   * CLI puts them in its place: a deny rule at home should not stop working because of a further file.
   */
  readonly extra: readonly string[];
  readonly admin: string;
  /** Those that are switched on, also where the workspace is not trusted: their rules can only make stricter. */
  readonly extensions?: readonly Pick<ExtensionFolder, 'name' | 'folder'>[];
}

export interface PolicyFile extends FoundPolicyFile {
  readonly tier: Tier;
  /** The name of the extension that it is in. */
  readonly extension?: string;
}

export interface PolicyFiles {
  readonly files: readonly PolicyFile[];
  readonly problems: readonly PolicyProblem[];
}

export function policiesIn(folder: string): string {
  return join(folder, '.gemini', 'policies');
}

/** Where the administrator of this machine puts rules, by Gemini CLI's own convention. */
export function adminFolder(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/policies';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\policies' : '/etc/gemini-cli/policies';
}

/** Every policy file there is. A place that cannot be read takes no other with it. */
export async function readPolicyFiles(places: PolicyPlaces): Promise<PolicyFiles> {
  const user = policiesIn(places.home);
  const read: readonly (readonly [Tier, Promise<FoundPolicyFiles>, extension?: string])[] = [
    ['admin', readAdminFolder(places.admin)],
    ['user', readPolicyFolder(user)],
    ...places.extra.map((path) => ['user', readPolicyPath(resolve(path))] as const),
    ...(await workspaceFolders(places)).map((folder) => ['workspace', readPolicyFolder(folder)] as const),
    ...(places.extensions ?? []).map((one) => ['extension', readExtensionFolder(one), one.name] as const),
    ['default', readPolicyFolder(places.shipped)],
  ];
  const files = new Map<string, PolicyFile>();
  const problems: PolicyProblem[] = [];
  for (const [tier, reading, extension] of read) {
    const found = await reading;
    const whose = { tier, ...(extension !== undefined && { extension }) };
    // Of two ways to the same file the higher tier counts.
    for (const file of found.files) if (!files.has(file.path)) files.set(file.path, { ...file, ...whose });
    problems.push(...found.problems);
  }
  return { files: [...files.values()], problems };
}

export function policiesOf({ folder }: Pick<ExtensionFolder, 'folder'>): string {
  return join(folder, 'policies');
}

/** Links to files are passed over in every folder of rules; here the folder itself may be one that leads elsewhere. */
async function readExtensionFolder(extension: Pick<ExtensionFolder, 'folder'>): Promise<FoundPolicyFiles> {
  const folder = policiesOf(extension);
  if (isOfExtension(extension, await realOf(folder))) return readPolicyFolder(folder);
  const reason = "The file is ignored: it links to a place outside its extension's folder.";
  return { files: [], problems: [{ kind: 'file_read', severity: 'error', file: folder, reason }] };
}

/** With the home folder open, its rules are the user's own and not the workspace's. */
export async function workspaceFolders({ roots, trusted, home }: PolicyPlaces): Promise<string[]> {
  if (!trusted) return [];
  const realHome = await realOf(home);
  const isOther = await Promise.all(roots.map(async (root) => (await realOf(root)) !== realHome));
  return [...new Set(roots.filter((_, index) => isOther[index]).map((root) => policiesIn(resolve(root))))];
}

async function readAdminFolder(folder: string): Promise<FoundPolicyFiles> {
  try {
    const problem = ownershipProblem(await stat(folder), process.platform);
    if (problem === undefined) return await readPolicyFolder(folder);
    const reason = `The administrator's rules are not in force: ${problem}.`;
    return { files: [], problems: [{ kind: 'file_read', severity: 'error', file: folder, reason }] };
  } catch (error) {
    // Looking failed for another reason than that it is not there: reading says which.
    return isMissing(error) ? { files: [], problems: [] } : readPolicyPath(folder);
  }
}

/** Why it may not be the administrator who speaks here: everybody else must be unable to write to the folder. */
export function ownershipProblem(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === 'win32') return 'on Windows it cannot be told who may write to that folder';
  if (uid !== 0) return 'the folder does not belong to root';
  return (mode & 0o022) === 0 ? undefined : 'others than root may write to the folder';
}

async function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
