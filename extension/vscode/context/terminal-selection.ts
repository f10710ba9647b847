import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { BuiltIn } from '../names.ts';

/** What is selected in the terminal. Undefined when nothing is. */
export function terminalSelection(): Promise<string | undefined> {
  return copiedBy(BuiltIn.copyTerminalSelection);
}

/** The last command of the active terminal and what it wrote, where VS Code knows where commands begin and end. */
export function lastTerminalCommand(): Promise<string | undefined> {
  return copiedBy(BuiltIn.copyLastCommand);
}

/** VS Code has no other way to it than the clipboard, whose text is put back after. */
async function copiedBy(command: string): Promise<string | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // Where there is nothing nothing is copied, and what lay in the clipboard would be taken for it.
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
