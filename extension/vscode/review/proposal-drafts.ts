import type { AnswerDraft } from '../../runtime/calls/edit-review.ts';
import type { KeptDrafts } from './kept-drafts.ts';
import type { ProposalTexts } from './proposal-texts.ts';
import type { ProposedFile } from './proposed-file.ts';
import type { ReviewComments } from './review-comments.ts';

/** The user's drafts for proposals: texts, remarks and verdicts, which survive a reload. */
export class ProposalDrafts {
  constructor(
    private readonly texts: ProposalTexts,
    private readonly comments: ReviewComments,
    private readonly kept: KeptDrafts,
  ) {}

  /** Restores the draft from before a reload, or starts with the proposed text. */
  begin(files: readonly ProposedFile[]): void {
    for (const file of files) {
      const { key, uri, edit } = file;
      const draft = this.kept.of(key, edit);
      this.texts.put(uri, draft?.text ?? edit.after);
      if (edit.before === null) this.texts.put(file.beforeUri, '');
      if (!draft) continue;
      this.comments.putBack(uri, draft.remarks);
      file.takeUp(draft);
    }
    reopen(files);
  }

  keep(file: ProposedFile): void {
    const { key, uri, edit, progress } = file;
    const { text } = file.carried(this.texts.get(uri));
    const remarks = this.comments.remarksOn(uri);
    this.kept.keep(key, edit, { text: file.isChangedIn(text) ? text : undefined, remarks, ...progress });
  }

  /** Deletes the drafts of files that are no longer pending. */
  forget(files: readonly ProposedFile[]): void {
    this.kept.forget(files.map(({ key }) => key));
  }

  /** The draft answer, which the runtime uses wherever the user answers the question. */
  answerFor(files: readonly ProposedFile[]): AnswerDraft {
    const contents = files.flatMap((file): [string, string][] => {
      const { path, before } = file.edit;
      if (file.verdict === 'rejected' && files.length > 1) return [[path, before ?? '']];
      const { text } = file.carried(this.texts.get(file.uri));
      return file.isChangedIn(text) && file.conflict === undefined ? [[path, text]] : [];
    });
    const feedback = files
      .map(({ uri, edit }) => this.comments.textOf(uri, edit.label, this.texts.get(uri)))
      .filter((text) => text !== '')
      .join('\n\n');
    return { contents: Object.fromEntries(contents), ...(feedback !== '' && { feedback }) };
  }
}

/** Clears the verdicts if all files have one, because a pending question must have something left to decide. */
export function reopen(files: readonly ProposedFile[]): void {
  if (files.every(({ verdict }) => verdict !== undefined)) for (const file of files) file.verdict = undefined;
}
