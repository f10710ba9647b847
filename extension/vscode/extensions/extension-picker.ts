import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withoutIcons } from '../base/escape-ui-text.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { broughtText, extensionStateText, shownExtensions, switchExtension } from './extension-list.ts';

/** Lets the user choose which Gemini CLI extensions are on for the open folder. Throws if that cannot be saved. */
export async function pickExtensions(runtime: RuntimeLoader): Promise<void> {
  const service = await runtime.load();
  const shown = await shownExtensions(service);
  if (shown.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('No Gemini CLI extension is installed. Install one with "gemini extensions install".'),
    );
    return;
  }
  const items = shown.map(({ extension, brings }) => ({
    label: withoutIcons(extension.name),
    description: withoutIcons(extensionStateText(extension)),
    detail: withoutIcons(broughtText(brings)),
    picked: extension.isEnabled,
    extension,
  }));
  const ticked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Gantry: Extensions of Gemini CLI'),
    placeHolder: l10n.t('The selected extensions are on in this folder, also in Gemini CLI.'),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (!ticked) return;
  const wanted = new Set(ticked.map(({ extension }) => extension.name));
  for (const { extension } of items) {
    const isOn = wanted.has(extension.name);
    if (isOn !== extension.isEnabled) await switchExtension(service, extension.name, isOn);
  }
}
