import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** The part of the API of VS Code's Git extension (version 1) that Gantry uses. */
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
    /** Set if `git.untrackedChanges` separates untracked files. Otherwise `workingTreeChanges` contains them. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  status(): Promise<void>;
  /** The diff between the index and the working tree, despite the name. */
  diffWithHEAD(path: string): Promise<string>;
  /** The diff between the last commit and the index. */
  diffIndexWithHEAD(path: string): Promise<string>;
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  /** A value of the Git extension's status enum, whose numbers have never changed: values were only added. */
  readonly status: number;
}

/** The values of `GitChange.status` that Gantry distinguishes. */
export const GitStatus = {
  indexAdded: 1,
  indexDeleted: 2,
  deleted: 6,
  untracked: 7,
  ignored: 8,
  intentToAdd: 9,
} as const;

const GIT = 'vscode.git';

/** Returns the API, or the reason why it is not available. */
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
