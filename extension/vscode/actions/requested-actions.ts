import { Disposable } from '../base/disposable.ts';
import { CommitMessages } from '../git/commit-message.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { type ActionTargets, EditorActions } from './editor-actions.ts';

/** What the commands of editors and of Source Control do. */
export class RequestedActions extends Disposable {
  readonly editor: EditorActions;
  readonly commits: CommitMessages;

  constructor(targets: ActionTargets, runtime: RuntimeLoader) {
    super();
    this.editor = new EditorActions(targets);
    this.commits = this.register(new CommitMessages(runtime));
  }
}
