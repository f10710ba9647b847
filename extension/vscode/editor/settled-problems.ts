import * as vscode from 'vscode';

/** Language extensions publish in steps (syntax, then types): this long without a further step and they are done. */
const QUIET_MS = 300;

/**
 * Waits until the problems of a file have changed and then stay as they are; at most for the given time, which is spent
 * whole when the file has the same problems as before. Never fails.
 */
export function problemsSettled(uri: vscode.Uri, limitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      listener.dispose();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const limit = setTimeout(finish, limitMs);
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((changed) => changed.toString() === uri.toString())) return;
      clearTimeout(quiet);
      quiet = setTimeout(finish, QUIET_MS);
    });
    signal.addEventListener('abort', finish, { once: true });
    // What cannot be opened as text is not looked at either.
    vscode.workspace.openTextDocument(uri).then(undefined, finish);
  });
}
