import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { guardPath } from '../../files/path-guard.ts';
import type { AgentEndReason, AgentEvent } from '../../protocol/agent/agent-event.ts';
import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import { type ContentPart, plainText } from '../../protocol/agent/content-part.ts';
import { type Problem, problemText } from '../../protocol/agent/problem.ts';
import { switchWords } from '../../protocol/transcript/model-entry.ts';
import { fileFolders } from '../base/workspace.ts';

/** Shows the progress of a run in VS Code's own chat. */
export interface RunSink {
  text(words: string): void;
  /** Shows the current activity as one line. */
  progress(line: string): void;
  /** A file of the workspace that was read or changed. */
  file(uri: vscode.Uri): void;
  /** A question is pending. The user answers it in Gantry. */
  waiting(question: string): void;
}

export interface ChatRunEnd {
  readonly reason: AgentEndReason;
  /** The problem that ended the run, for display. */
  readonly problem?: Problem;
}

/** Sends a message and follows the run that answers it, until its end or until it is cancelled. */
export async function runInChat(
  session: AgentSession,
  content: readonly ContentPart[],
  sink: RunSink,
  token: vscode.CancellationToken,
): Promise<ChatRunEnd> {
  let problem: Problem | undefined;
  const cancelled = token.onCancellationRequested(() => void session.abort());
  try {
    for await (const event of session.sendStream({ message: { content } })) {
      if (event.type === 'error' && event.fatal) problem = event._meta?.problem ?? problem;
      if (event.type === 'agent_end') return { reason: event.reason, ...(problem && { problem }) };
      await show(event, sink);
      // The request was cancelled before there was a run to abort.
      if (event.type === 'agent_start' && token.isCancellationRequested) await session.abort();
    }
    return { reason: 'aborted' };
  } finally {
    cancelled.dispose();
  }
}

/** The text that ends an answer; empty if the run completed. */
export function endWords({ reason, problem }: ChatRunEnd): string {
  if (reason === 'completed') return '';
  if (problem) return problemText(problem);
  return reason === 'aborted' ? l10n.t('Stopped.') : l10n.t('Gantry stopped: {0}.', reason.replaceAll('_', ' '));
}

const brokeOff = (): string => l10n.t('The answer was cut off and is requested again.');

async function show(event: AgentEvent, sink: RunSink): Promise<void> {
  switch (event.type) {
    case 'message':
      if (event.role === 'agent') sink.text(plainText(event.content));
      return;
    case 'tool_request':
      sink.progress([event.display?.name ?? event.name, event.display?.description].filter(Boolean).join(': '));
      for (const uri of await filesOf(event.args)) sink.file(uri);
      return;
    case 'custom':
      // Text that was streamed to a chat cannot be removed.
      if (event.kind === 'answer_retracted') sink.text(`\n\n*${brokeOff()}*\n\n`);
      if (event.kind === 'model_switched') sink.progress(switchWords(event.data));
      return;
    case 'elicitation_request':
      sink.waiting(event.title ?? event.message);
      return;
    default:
  }
}

/** The path comes from the model, so it must be a file of this workspace. */
async function filesOf({ file_path: path }: Readonly<Record<string, unknown>>): Promise<vscode.Uri[]> {
  if (typeof path !== 'string') return [];
  const found = await guardPath(
    path,
    fileFolders().map(({ uri }) => uri.fsPath),
  );
  return found.allowed && found.exists ? [vscode.Uri.file(found.editorPath)] : [];
}
