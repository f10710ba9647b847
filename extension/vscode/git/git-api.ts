import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** What is used of the API of VS Code's own Git extension, version 1. */
export interface GitApi {
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    /** Where `git.untrackedChanges` keeps them apart; else they are among those of the working tree. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  status(): Promise<void>;
  /** Between the index and the working tree. */
  diffWithHEAD(path: string): Promise<string>;
  /** Between the last commit and the index. */
  diffIndexWithHEAD(path: string): Promise<string>;
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  /** A number of an enum that has only ever been added to. */
  readonly status: number;
}

/** The numbers of `GitChange.status` that make a difference here. */
export const GitStatus = {
  indexAdded: 1,
  indexDeleted: 2,
  deleted: 6,
  untracked: 7,
  ignored: 8,
  intentToAdd: 9,
} as const;

const GIT = 'vscode.git';

/** Or why there is none, for people. */
export async function gitApi(): Promise<GitApi | { readonly problem: string }> {
  const extension = vscode.extensions.getExtension<unknown>(GIT);
  if (!extension) return { problem: gitMissing() };
  const git: unknown = extension.isActive ? extension.exports : await extension.activate();
  if (!hasApi(git)) return { problem: l10n.t("Gantry does not support this version of VS Code's Git extension.") };
  if (!git.enabled) return { problem: l10n.t('Git is turned off: the setting git.enabled is false.') };
  return git.getAPI(1);
}

const gitMissing = (): string =>
  l10n.t("VS Code's Git extension is not available here. It may be disabled, and it is always off in Restricted Mode.");

function hasApi(value: unknown): value is { readonly enabled: boolean; getAPI(version: 1): GitApi } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'getAPI' in value &&
    typeof value.getAPI === 'function' &&
    'enabled' in value
  );
}
