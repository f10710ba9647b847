import type { AnswerDraft } from '../../runtime/calls/edit-review.ts';
import type { KeptDrafts } from './kept-drafts.ts';
import type { ProposalTexts } from './proposal-texts.ts';
import type { ProposedFile } from './proposed-file.ts';
import type { ReviewComments } from './review-comments.ts';

/** What the user makes of proposals: their texts, remarks and verdicts, which outlive a reload. */
export class ProposalDrafts {
  constructor(
    private readonly texts: ProposalTexts,
    private readonly comments: ReviewComments,
    private readonly kept: KeptDrafts,
  ) {}

  /** As the user left it before a reload, or as it is proposed. */
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

  /** They wait no longer, whatever comes after a reload. */
  forget(files: readonly ProposedFile[]): void {
    this.kept.forget(files.map(({ key }) => key));
  }

  /** What the runtime has to know to take an answer from anywhere. */
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

/** A question that waits has something left to decide. */
export function reopen(files: readonly ProposedFile[]): void {
  if (files.every(({ verdict }) => verdict !== undefined)) for (const file of files) file.verdict = undefined;
}
