import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NewAttachment } from '../../context/attachments.ts';
import { filesWords } from '../../git/action-texts.ts';
import { digestOf } from '../../git/change-digest.ts';
import { type GitRepository, gitApi } from '../../git/git-api.ts';
import { readChanges, uncommitted } from '../../git/repository-changes.ts';
import { fuzzyMatch } from '../../suggestions/fuzzy.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';

/** The uncommitted changes of each repository. */
export class GitChanges implements MentionSource {
  readonly title = l10n.t('More');

  async search(query: string): Promise<readonly Mention[]> {
    const label = l10n.t('Git changes');
    const match = fuzzyMatch(query, label);
    if (!match) return [];
    const git = await gitApi();
    if ('problem' in git) return [];
    return git.repositories.flatMap((repository) => {
      const files = new Set(uncommitted(repository).map(({ change }) => change.uri.toString())).size;
      if (files === 0) return [];
      const changed = files === 1 ? l10n.t('1 changed file') : l10n.t('{0} changed files', files);
      const detail =
        git.repositories.length > 1
          ? l10n.t('{0} in {1}', changed, vscode.workspace.asRelativePath(repository.rootUri, true))
          : changed;
      const mention: Mention = {
        icon: 'changes',
        label,
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
  return { kind: 'changes', label: `Changes in ${filesWords(files)}`, content: { text: digestOf(files) } };
}
