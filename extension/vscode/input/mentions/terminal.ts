import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ProblemError } from '../../../protocol/agent/problem.ts';
import type { NewAttachment } from '../../context/attachments.ts';
import { lastTerminalCommand, terminalSelection } from '../../context/terminal-selection.ts';
import { fuzzyMatch } from '../../suggestions/fuzzy.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';

/** The selection of the terminal, else its last command. */
export class Terminal implements MentionSource {
  readonly title = l10n.t('More');

  async search(query: string): Promise<readonly Mention[]> {
    const label = l10n.t('Terminal');
    const match = fuzzyMatch(query, label);
    if (!match || vscode.window.terminals.length === 0) return [];
    const detail = l10n.t('selection, or last command and its output');
    return [{ icon: 'terminal', label, marks: match.positions, detail, name: 'terminal', attach }];
  }
}

async function attach(): Promise<NewAttachment> {
  const name = vscode.window.activeTerminal?.name ?? 'terminal';
  const selected = await terminalSelection();
  if (selected !== undefined) return { kind: 'terminal', label: `${name}, selection`, content: { text: selected } };
  const last = await lastTerminalCommand();
  if (last === undefined) throw nothingThere();
  return { kind: 'terminal', label: `${name}, last command`, content: { text: last } };
}

const nothingThere = (): ProblemError =>
  new ProblemError({
    kind: 'not-found',
    title: l10n.t('There is nothing to attach from the terminal'),
    detail: l10n.t(
      "Select something in it first. Its last command is available only with VS Code's shell integration (terminal.integrated.shellIntegration.enabled).",
    ),
    actions: [],
  });
