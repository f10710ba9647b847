import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import type { ToHost } from '../../protocol/panel/host-messages.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import type { RestoreStep } from '../../sessions/files/file-rewind.ts';
import { Disposable } from '../base/disposable.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { UserEntry } from '../session/shown-conversation.ts';
import { carryOut, relativeName, tellLeftovers, whyNotNow } from './rewind-flow.ts';
import { isDelivered, rewindPreview } from './rewind-preview.ts';

type Request<Type extends ToHost['type']> = Extract<ToHost, { type: Type }>;

/** Sends text in place of a message, with that message's attachments. Returns undefined if accepted, else why not. */
export type SendInPlace = (text: string, message: UserEntry) => Promise<Problem | undefined>;

const SCHEME = 'gantry-rewind';
const gone = (): Problem => ({
  kind: 'bad-input',
  title: l10n.t('Nothing was rewound'),
  detail: l10n.t('That message is no longer part of the conversation.'),
  actions: [],
});

/** The extension's side of the rewind sheet and of editing a message in place. */
export class RewindSheet extends Disposable {
  private readonly texts = new Map<string, string>();

  constructor(private readonly session: PanelSession) {
    super();
    const provideTextDocumentContent = (uri: vscode.Uri): string => this.texts.get(uri.toString()) ?? '';
    this.register(vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
  }

  async preview({ messageId }: Request<'rewindPreview'>): Promise<ToPanel> {
    return this.answering(messageId, async (message) => {
      const { entries, open } = this.session;
      const preview = rewindPreview(message, {
        entries,
        steps: (await open?.rewind.preview(messageId)) ?? [],
        grants: open?.rewind.grantsSince(messageId) ?? [],
        isTrusted: vscode.workspace.isTrusted,
        nameOf: relativeName,
      });
      return { type: 'rewindPreview', preview };
    });
  }

  async rewind({ messageId, what, overwrite }: Request<'rewind'>): Promise<ToPanel> {
    return this.answering(messageId, async (message) => {
      await carryOut(this.session, message, what, overwrite);
      return { type: 'rewound', messageId };
    });
  }

  /** Returns undefined if the new text was accepted, else the reason. */
  async resend(request: Request<'resend'>, send: SendInPlace): Promise<Problem | undefined> {
    const { messageId, text, what, overwrite } = request;
    const message = this.messageOf(messageId);
    const problem = whyNotNow(this.session) ?? (message && this.session.open ? undefined : gone());
    if (problem || !message || !this.session.open) return problem;
    try {
      tellLeftovers(await this.session.open.rewind.rewind({ messageId, what, overwrite }));
    } catch (error) {
      if (ProblemError.is(error)) return error.problem;
      throw error;
    }
    return send(text, message);
  }

  /** Compares the current files with those after the rewind. */
  async compare({ messageId, path }: Request<'compareRewind'>): Promise<void> {
    const steps = (await this.session.open?.rewind.preview(messageId)) ?? [];
    const wanted = steps.filter((step) => step.kind !== 'done' && (path === undefined || step.path === path));
    const pairs = await Promise.all(wanted.map((step) => this.pairOf(step)));
    const [first] = pairs;
    if (!first) return;
    const [file, now, then] = first;
    const title = (name: string): string => l10n.t('{0} (now ↔ after the rewind)', name);
    if (path !== undefined)
      await vscode.commands.executeCommand('vscode.diff', now, then, title(relativeName(file.fsPath)));
    else await vscode.commands.executeCommand('vscode.changes', title(l10n.t('Rewind')), pairs);
  }

  private async pairOf(step: RestoreStep): Promise<[file: vscode.Uri, now: vscode.Uri, then: vscode.Uri]> {
    const file = vscode.Uri.file(step.path);
    const isThere = step.kind === 'blocked' || step.current !== null;
    const then = file.with({ scheme: SCHEME, query: step.target ?? '' });
    this.texts.set(then.toString(), (await this.session.open?.rewind.earlierText(step)) ?? '');
    return [file, isThere ? file : file.with({ scheme: SCHEME, query: '' }), then];
  }

  private messageOf(messageId: string): UserEntry | undefined {
    return this.session.entries.filter(isDelivered).find((entry) => entry.messageId === messageId);
  }

  private async answering(messageId: string, work: (message: UserEntry) => Promise<ToPanel>): Promise<ToPanel> {
    const message = this.messageOf(messageId);
    const problem = whyNotNow(this.session) ?? (message ? undefined : gone());
    try {
      if (message && !problem) return await work(message);
      return refused(messageId, problem ?? gone());
    } catch (error) {
      if (ProblemError.is(error)) return refused(messageId, error.problem);
      throw error;
    }
  }
}

function refused(messageId: string, { title, detail }: Problem): ToPanel {
  return { type: 'rewindRefused', messageId, title, detail };
}
