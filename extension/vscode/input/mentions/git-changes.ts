import * as vscode from 'vscode';
import { filesWords } from '../../actions/action-texts.ts';
import { digestOf } from '../../actions/change-digest.ts';
import { type GitRepository, gitApi } from '../../actions/git-api.ts';
import { readChanges, uncommitted } from '../../actions/repository-changes.ts';
import type { NewAttachment } from '../../context/attachments.ts';
import { fuzzyMatch } from '../fuzzy.ts';
import type { Mention, MentionSource } from './mention-source.ts';

/** What differs from the last commit, for each repository. */
export class GitChanges implements MentionSource {
  readonly title = 'More';

  async search(query: string): Promise<readonly Mention[]> {
    const match = fuzzyMatch(query, 'Git changes');
    if (!match) return [];
    const git = await gitApi();
    if ('problem' in git) return [];
    return git.repositories.flatMap((repository) => {
      const files = new Set(uncommitted(repository).map(({ change }) => change.uri.toString())).size;
      if (files === 0) return [];
      const where =
        git.repositories.length > 1 ? ` in ${vscode.workspace.asRelativePath(repository.rootUri, true)}` : '';
      const detail = `${filesWords(files)}${where}`;
      const mention: Mention = {
        icon: 'changes',
        label: 'Git changes',
        marks: match.positions,
        detail,
        name: 'changes',
        attach: () => attach(repository),
      };
      return [mention];
    });
  }
}

async function attach(repository: GitRepository): Promise<NewAttachment> {
  await repository.status();
  const files = await readChanges(repository, uncommitted(repository));
  const count = new Set(files.map(({ path }) => path)).size;
  return { kind: 'changes', label: `Changes in ${filesWords(count)}`, content: { text: digestOf(files) } };
}
