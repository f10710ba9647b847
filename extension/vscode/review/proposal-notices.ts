import * as vscode from 'vscode';
import { withoutLinks } from '../plain-words.ts';

const COPY = 'Copy Your Text';

/** What the user had made of a proposal does not fit the new one. Without a diff that shows it there is nothing to undo. */
export async function tellNotKept(label: string, text: string, isShown: boolean): Promise<void> {
  const what = `${label} has changed, and what you had made of the proposal does not fit any more.`;
  const next = isShown ? 'Undo in the diff brings your text back.' : 'The diff shows the new proposal.';
  const choice = await vscode.window.showWarningMessage(withoutLinks(`${what} ${next}`), COPY);
  if (choice === COPY) await vscode.env.clipboard.writeText(text);
}
