import * as vscode from 'vscode';
import { ProblemError } from '../../../protocol/problem.ts';
import type { NewAttachment } from '../../context/attachments.ts';
import { lastTerminalCommand, terminalSelection } from '../../context/terminal-selection.ts';
import { fuzzyMatch } from '../fuzzy.ts';
import type { Mention, MentionSource } from './mention-source.ts';

/** What is selected in the terminal, else its last command. */
export class Terminal implements MentionSource {
  readonly title = 'More';

  async search(query: string): Promise<readonly Mention[]> {
    const match = fuzzyMatch(query, 'Terminal');
    if (!match || vscode.window.terminals.length === 0) return [];
    const detail = 'selection, or last command and its output';
    return [{ icon: 'terminal', label: 'Terminal', marks: match.positions, detail, name: 'terminal', attach }];
  }
}

async function attach(): Promise<NewAttachment> {
  const name = vscode.window.activeTerminal?.name ?? 'terminal';
  const selected = await terminalSelection();
  if (selected !== undefined) return { kind: 'terminal', label: `${name}, selection`, content: { text: selected } };
  const last = await lastTerminalCommand();
  if (last === undefined) throw NOTHING_THERE;
  return { kind: 'terminal', label: `${name}, last command`, content: { text: last } };
}

const NOTHING_THERE = new ProblemError({
  kind: 'not-found',
  title: 'There is nothing to attach from the terminal',
  detail:
    "Select something in it first. Its last command is known only where VS Code's shell integration is on (terminal.integrated.shellIntegration.enabled).",
  actions: [],
});
