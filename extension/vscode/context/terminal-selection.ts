import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { BuiltIn } from '../names.ts';

/**
 * What is selected in the terminal. VS Code has no other way to it than the clipboard, whose text is put back after.
 * Undefined when nothing is selected.
 */
export async function terminalSelection(): Promise<string | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // Without a selection nothing is copied, and what lay in the clipboard would be taken for it.
  const nothing = `gantry ${randomUUID()}`;
  await clipboard.writeText(nothing);
  try {
    await vscode.commands.executeCommand(BuiltIn.copyTerminalSelection);
    const copied = await clipboard.readText();
    return copied === nothing || copied.trim() === '' ? undefined : copied;
  } finally {
    await clipboard.writeText(before);
  }
}
