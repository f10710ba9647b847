import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { BuiltIn } from '../names.ts';

/** The selection of the active terminal. Undefined if it is empty. */
export function terminalSelection(): Promise<string | undefined> {
  return copiedBy(BuiltIn.copyTerminalSelection);
}

/** The last command of the active terminal with its output. Requires VS Code's shell integration. */
export function lastTerminalCommand(): Promise<string | undefined> {
  return copiedBy(BuiltIn.copyLastCommand);
}

/** VS Code offers this text only through the clipboard, so the clipboard's text is restored afterwards. */
async function copiedBy(command: string): Promise<string | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // If there is nothing to copy, the clipboard keeps its text, which would be mistaken for the result.
  const nothing = `gantry ${randomUUID()}`;
  await clipboard.writeText(nothing);
  try {
    await vscode.commands.executeCommand(command);
    const copied = await clipboard.readText();
    return copied === nothing || copied.trim() === '' ? undefined : copied;
  } finally {
    await clipboard.writeText(before);
  }
}
