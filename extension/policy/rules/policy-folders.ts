import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isMissing } from '../../files/error-code.ts';
import type { OpenTexts } from '../../files/read-beginning.ts';
import { type ExtensionFolder, isOfExtension } from '../../ports/extension-folder.ts';
import type { Tier } from '../policy-types.ts';
import { type FoundPolicyFile, type FoundPolicyFiles, readPolicyFolder, readPolicyPath } from './read-policy-file.ts';
import type { PolicyProblem } from './rule-set.ts';

/** The places of policy files. All paths are absolute. */
export interface PolicyPlaces {
  readonly shipped: string;
  /** The folder that contains `.gemini`. */
  readonly home: string;
  /** The folders that the user opened. Policies of an untrusted workspace are not read. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  /**
   * Files or folders that the user named, with the same tier as the user's own folder. They are added to that folder,
   * while `--policy` of Gemini CLI replaces it: a deny rule at home shouldn't stop working because of another file.
   */
  readonly extra: readonly string[];
  readonly admin: string;
  /** Enabled extensions. They count even in an untrusted workspace, because their rules can only be stricter. */
  readonly extensions?: readonly Pick<ExtensionFolder, 'name' | 'folder'>[];
}

export interface PolicyFile extends FoundPolicyFile {
  readonly tier: Tier;
  /** The name of the extension that contains the file. */
  readonly extension?: string;
}

export interface PolicyFiles {
  readonly files: readonly PolicyFile[];
  readonly problems: readonly PolicyProblem[];
}

export function policiesIn(folder: string): string {
  return join(folder, '.gemini', 'policies');
}

/** The folder for rules of this machine's administrator, by Gemini CLI's convention. */
export function adminFolder(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/policies';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\policies' : '/etc/gemini-cli/policies';
}

/** Reads all policy files as they are saved. An unreadable place doesn't affect the others. */
export async function readPolicyFiles(places: PolicyPlaces, open?: OpenTexts): Promise<PolicyFiles> {
  const user = policiesIn(places.home);
  const read: readonly (readonly [Tier, Promise<FoundPolicyFiles>, extension?: string])[] = [
    ['admin', readAdminFolder(places.admin, open)],
    ['user', readPolicyFolder(user, open)],
    ...places.extra.map((path) => ['user', readPolicyPath(resolve(path), open)] as const),
    ...(await workspaceFolders(places)).map((folder) => ['workspace', readPolicyFolder(folder, open)] as const),
    ...(places.extensions ?? []).map((one) => ['extension', readExtensionFolder(one, open), one.name] as const),
    ['default', readPolicyFolder(places.shipped, open)],
  ];
  const files = new Map<string, PolicyFile>();
  const problems: PolicyProblem[] = [];
  for (const [tier, reading, extension] of read) {
    const found = await reading;
    const whose = { tier, ...(extension !== undefined && { extension }) };
    // If two places lead to the same file, the higher tier counts.
    for (const file of found.files) if (!files.has(file.path)) files.set(file.path, { ...file, ...whose });
    problems.push(...found.problems);
  }
  return { files: [...files.values()], problems };
}

export function policiesOf({ folder }: Pick<ExtensionFolder, 'folder'>): string {
  return join(folder, 'policies');
}

/** Links to files are ignored in every policy folder. An extension's folder could itself be a link elsewhere. */
async function readExtensionFolder(
  extension: Pick<ExtensionFolder, 'folder'>,
  open: OpenTexts | undefined,
): Promise<FoundPolicyFiles> {
  const folder = policiesOf(extension);
  if (isOfExtension(extension, await realOf(folder))) return readPolicyFolder(folder, open);
  const reason = "The file is ignored: it links to a place outside its extension's folder.";
  return { files: [], problems: [{ kind: 'file_read', severity: 'error', file: folder, reason }] };
}

/** If the home folder is open, its rules are the user's own, not the workspace's. */
export async function workspaceFolders({ roots, trusted, home }: PolicyPlaces): Promise<string[]> {
  if (!trusted) return [];
  const realHome = await realOf(home);
  const isOther = await Promise.all(roots.map(async (root) => (await realOf(root)) !== realHome));
  return [...new Set(roots.filter((_, index) => isOther[index]).map((root) => policiesIn(resolve(root))))];
}

async function readAdminFolder(folder: string, open: OpenTexts | undefined): Promise<FoundPolicyFiles> {
  try {
    const problem = ownershipProblem(await stat(folder), process.platform);
    if (problem === undefined) return await readPolicyFolder(folder, open);
    const reason = `The administrator's rules are not in force: ${problem}.`;
    return { files: [], problems: [{ kind: 'file_read', severity: 'error', file: folder, reason }] };
  } catch (error) {
    // The check failed, but not because the folder is missing. Reading it reports the reason.
    return isMissing(error) ? { files: [], problems: [] } : readPolicyPath(folder, open);
  }
}

/** The reason why the rules may not come from the administrator: nobody else may be able to write to the folder. */
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
