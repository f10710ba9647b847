import * as vscode from 'vscode';
import type { TranscriptChange } from '../../protocol/transcript/transcript-entry.ts';
import { BuiltIn, type ContextKey, ContextKeys } from '../names.ts';
import type { PanelSession } from '../session/panel-session.ts';

/** The context key that completes a step of the walkthrough, by the tool that was used. */
const STEPS: Readonly<Record<string, ContextKey>> = {
  write_file: ContextKeys.edited,
  replace: ContextKeys.edited,
  run_shell_command: ContextKeys.ranCommand,
};

/** Sets the context keys that complete steps of the walkthrough. VS Code stores completed steps, so once is enough. */
export function followTour(session: Pick<PanelSession, 'onDidChangeTranscript'>): vscode.Disposable {
  const told = new Set<ContextKey>();
  return session.onDidChangeTranscript((changes) => {
    for (const key of changes.flatMap(stepOf)) {
      if (told.has(key)) continue;
      told.add(key);
      void vscode.commands.executeCommand(BuiltIn.setContext, key, true);
    }
  });
}

function stepOf(change: TranscriptChange): readonly ContextKey[] {
  if (change.op !== 'put' || change.entry.kind !== 'tool' || change.entry.status !== 'success') return [];
  const key = STEPS[change.entry.name];
  return key === undefined ? [] : [key];
}
