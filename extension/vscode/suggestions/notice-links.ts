import * as vscode from 'vscode';
import type { Notice } from '../../protocol/panel/input-to-panel.ts';
import type { FilePlace, SlashNotice } from './slash-command.ts';

/** The link targets of the last notice. The panel only knows their names and cannot open anything else. */
export class NoticeLinks {
  private readonly targets = new Map<string, () => Thenable<unknown>>();
  private last = 0;

  /** Converts a notice for the panel. */
  offer({ title, rows, actions = [] }: SlashNotice): Notice {
    this.targets.clear();
    return {
      title,
      rows: rows.map(({ name, value, file }) => ({
        name,
        value,
        ...(file && { link: this.add(() => openPlace(file)) }),
      })),
      ...(actions.length > 0 && {
        actions: actions.map(({ label, command }) => ({
          label,
          link: this.add(() => vscode.commands.executeCommand(command)),
        })),
      }),
    };
  }

  async open(link: string): Promise<void> {
    await this.targets.get(link)?.();
  }

  private add(open: () => Thenable<unknown>): string {
    const link = `notice-${++this.last}`;
    this.targets.set(link, open);
    return link;
  }
}

export function openPlace({ path, line = 1 }: FilePlace): Thenable<vscode.TextEditor> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  return vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at), preview: true });
}
