import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { leftToPutBack, type ProtectedEntry, protectedText } from '../../protocol/transcript/protected-entry.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { reportProblem } from '../base/report.ts';
import { BuiltIn, Commands } from '../names.ts';
import type { PanelSession } from '../session/panel-session.ts';

const SCHEME = 'gantry-protected';

/** Shows how commands changed protected files, and restores these files. */
export class ProtectedFileReview extends Disposable {
  private readonly texts = new Map<string, string>();

  constructor(private readonly session: PanelSession) {
    super();
    const provideTextDocumentContent = (uri: vscode.Uri): string => this.texts.get(uri.toString()) ?? '';
    this.register(vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
  }

  /** Restores the files of a change, and shows the diff of a file that changed since. The conversation reports it. */
  async putBack(change: string): Promise<void> {
    try {
      await this.session.open?.commands.protectedChanges.putBack(change);
    } catch (error) {
      if (!ProblemError.is(error)) throw error;
      await reportProblem(error.problem);
      return;
    }
    const again = this.entryOf(change)?.files.find(({ state }) => state === 'again');
    if (again) await this.show(change, again.path);
  }

  /** Compares the earlier text with the current file. */
  async show(change: string, path: string): Promise<void> {
    const file = this.entryOf(change)?.files.find((other) => other.path === path);
    const earlier = await this.session.open?.commands.protectedChanges.earlierText(change, path);
    if (!file || earlier === undefined) return;
    const now = vscode.Uri.file(path);
    const before = now.with({ scheme: SCHEME, query: change });
    this.texts.set(before.toString(), earlier);
    const isThere = await vscode.workspace.fs.stat(now).then(
      () => true,
      () => false,
    );
    const title = l10n.t('{0} (before the command ↔ now)', file.name);
    const after = isThere ? now : now.with({ scheme: SCHEME, query: 'gone' });
    await vscode.commands.executeCommand(BuiltIn.diff, before, after, title);
  }

  /** Notifies a user who does not see the panel. */
  async notify(entry: ProtectedEntry): Promise<void> {
    const { change, files } = entry;
    const left = leftToPutBack(entry).length;
    const show = l10n.t('Show Change');
    const putBack = left === 1 ? l10n.t('Put It Back') : l10n.t('Put Them Back');
    const text = withoutLinks(`Gantry: ${protectedText(entry)}`);
    const choice = await vscode.window.showWarningMessage(text, show, ...(left > 0 ? [putBack] : []));
    const [first] = files;
    if (choice === putBack) await this.putBack(change);
    else if (choice === show && files.length === 1 && first) await this.show(change, first.path);
    else if (choice === show) await vscode.commands.executeCommand(Commands.openChat);
  }

  private entryOf(change: string): ProtectedEntry | undefined {
    const entry = this.session.entries.find((other) => other.kind === 'protected' && other.change === change);
    return entry?.kind === 'protected' ? entry : undefined;
  }
}
