import * as vscode from 'vscode';
import { type GitApi, type GitRepository, gitApi } from '../../extension/vscode/git/git-api.ts';
import { eventually } from '../support/poll.ts';

interface OpeningGitApi extends GitApi {
  readonly state: 'uninitialized' | 'initialized';
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

/** The windows of the tests have Git switched off. Repositories beside the workspace are opened in 1.100 only when told to. */
export async function switchGit(on: boolean): Promise<void> {
  const git = vscode.workspace.getConfiguration('git');
  const { Global } = vscode.ConfigurationTarget;
  await git.update('openRepositoryInParentFolders', on ? 'always' : undefined, Global);
  await git.update('enabled', on, Global);
}

/** The repository as VS Code's own Git extension has it. */
export async function openRepository(path: string): Promise<GitRepository> {
  const git = await eventually('the Git extension', async () => {
    const api = await gitApi();
    return 'problem' in api ? undefined : (api as OpeningGitApi);
  });
  await eventually('Git to be ready', () => git.state === 'initialized');
  return eventually('the repository', async () => (await git.openRepository(vscode.Uri.file(path))) ?? undefined);
}

/** The window says what is in the input, a little later than it is put there; an older word must not come after it. */
export async function typeMessage({ inputBox }: GitRepository, text: string): Promise<void> {
  await eventually('the text in the input', async () => {
    if (inputBox.value !== text) inputBox.value = text;
    // There and back, behind all that was said before.
    for (let times = 0; times < 3; times++)
      await vscode.commands.executeCommand('setContext', 'gantry-test.input', text);
    return inputBox.value === text;
  });
}
