import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ThinkingWay } from '../../protocol/agent/thinking.ts';
import { Settings } from '../names.ts';
import { saveSetting, thinkingWay } from '../settings.ts';

/** Changes the setting for all sessions and windows. Hidden thinking has no control to show it again, so offer Undo. */
export async function setThinking(way: ThinkingWay): Promise<void> {
  const before = thinkingWay();
  if (way === before) return;
  await saveSetting(Settings.thinking, way);
  if (way !== 'hidden') return;
  const undo = l10n.t('Undo');
  const told = l10n.t('Thinking is hidden in the chat. Use "Show or Hide Thinking" to show it again.');
  if ((await vscode.window.showInformationMessage(told, undo)) === undo) await saveSetting(Settings.thinking, before);
}

export function toggleThinking(): Promise<void> {
  return setThinking(thinkingWay() === 'hidden' ? 'collapsed' : 'hidden');
}
