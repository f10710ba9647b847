import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type GitRepository, gitApi } from './git-api.ts';

/**
 * Finds the repository for a command: the one whose menu was used, else that of the active editor, else the only one,
 * else the user's choice. Returns undefined if there is none, which is reported, or if the user chose nothing.
 */
export async function pickRepository(from: unknown): Promise<GitRepository | undefined> {
  const git = await gitApi();
  if ('problem' in git) {
    await vscode.window.showWarningMessage(git.problem);
    return undefined;
  }
  const { repositories } = git;
  const root = rootOf(from);
  if (root) return repositories.find(({ rootUri }) => rootUri.toString() === root.toString());
  const [only, another] = repositories;
  if (!only) {
    await vscode.window.showInformationMessage(l10n.t('There is no Git repository in this workspace.'));
    return undefined;
  }
  if (!another) return only;
  const active = vscode.window.activeTextEditor?.document.uri;
  return (active && git.getRepository(active)) ?? choose(repositories);
}

/** Menus of the Source Control view pass their `SourceControl`. */
function rootOf(from: unknown): vscode.Uri | undefined {
  if (typeof from !== 'object' || from === null || !('rootUri' in from)) return undefined;
  return from.rootUri instanceof vscode.Uri ? from.rootUri : undefined;
}

async function choose(repositories: readonly GitRepository[]): Promise<GitRepository | undefined> {
  const items = repositories.map((repository) => ({
    label: vscode.workspace.asRelativePath(repository.rootUri, true),
    repository,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Gantry', placeHolder: l10n.t('Which repository?') }))
    ?.repository;
}
