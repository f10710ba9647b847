import { posix, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { looksSecret } from '../../policy/secret-files.ts';
import { type ChangedFile, diffOfNew, isBinaryDiff } from './change-digest.ts';
import { type GitChange, type GitRepository, GitStatus } from './git-api.ts';

/** Further files are only named, because each diff requires a Git process. */
const MAX_FILES = 100;
/** The largest untracked file that is read, in bytes. */
const MAX_NEW_FILE = 200_000;

export type Side = 'index' | 'workingTree';

interface SidedChange {
  readonly change: GitChange;
  readonly side: Side;
}

/** The changes that a commit would contain: the staged ones, or all changes if nothing is staged. */
export function toBeCommitted(repository: GitRepository): readonly SidedChange[] {
  const staged = sided(repository.state.indexChanges, 'index');
  return staged.length > 0 ? staged : uncommitted(repository);
}

/** Everything that differs from the last commit. */
export function uncommitted({ state }: GitRepository): readonly SidedChange[] {
  const changes = [...state.mergeChanges, ...state.workingTreeChanges, ...(state.untrackedChanges ?? [])];
  return [...sided(state.indexChanges, 'index'), ...sided(changes, 'workingTree')];
}

function sided(changes: readonly GitChange[], side: Side): readonly SidedChange[] {
  return changes.filter(({ status }) => status !== GitStatus.ignored).map((change) => ({ change, side }));
}

export async function readChanges(
  repository: GitRepository,
  changes: readonly SidedChange[],
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const { change, side } of changes) files.push(await readChange(repository, change, side, files.length));
  return files;
}

async function readChange(
  repository: GitRepository,
  change: GitChange,
  side: Side,
  index: number,
): Promise<ChangedFile> {
  const path = pathIn(repository, change.uri);
  const before = pathIn(repository, change.originalUri);
  const file = { path, what: whatOf(change) };
  const omit = (why: 'secret' | 'binary' | 'too-many' | 'unreadable'): ChangedFile => {
    return { ...file, content: { kind: 'left-out', why } };
  };
  if (looksSecret(path) || looksSecret(before)) return omit('secret');
  if (index >= MAX_FILES) return omit('too-many');
  try {
    const text = await diffOf(repository, change, side);
    if (text === undefined || isBinaryDiff(text)) return omit('binary');
    return { ...file, content: { kind: 'diff', text } };
  } catch {
    return omit('unreadable');
  }
}

/** Returns undefined for a file that is not text. */
async function diffOf(repository: GitRepository, { uri, status }: GitChange, side: Side): Promise<string | undefined> {
  if (side === 'index') return repository.diffIndexWithHEAD(uri.fsPath);
  if (status !== GitStatus.untracked && status !== GitStatus.intentToAdd) return repository.diffWithHEAD(uri.fsPath);
  const { size, type } = await vscode.workspace.fs.stat(uri);
  // Reading would follow the link to a target that its author chose.
  if ((type & vscode.FileType.SymbolicLink) !== 0) return '(a symbolic link)';
  if (size > MAX_NEW_FILE) return `(a new file of ${size} bytes)`;
  const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  return text.includes('\0') ? undefined : diffOfNew(text);
}

/** Git has different status numbers for staged and for unstaged changes, so both are checked. */
function whatOf({ uri, originalUri, status }: GitChange): ChangedFile['what'] {
  if (uri.toString() !== originalUri.toString()) return 'renamed';
  if (status === GitStatus.indexDeleted || status === GitStatus.deleted) return 'deleted';
  const added: readonly number[] = [GitStatus.indexAdded, GitStatus.untracked, GitStatus.intentToAdd];
  return added.includes(status) ? 'added' : 'changed';
}

function pathIn({ rootUri }: GitRepository, uri: vscode.Uri): string {
  return relative(rootUri.fsPath, uri.fsPath).split(sep).join(posix.sep);
}
