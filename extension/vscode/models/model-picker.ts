import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DEFAULT_MODEL, isModelName, KNOWN_MODELS } from '../../model/catalog/model-names.ts';
import { Settings } from '../names.ts';
import { saveSetting, VsCodeSettings } from '../settings.ts';
import { autoTexts, modelTexts } from './model-texts.ts';

/** Asks for a model and saves it in the user's settings. Undefined if the user cancels. `method` is the endpoint. */
export async function pickModel(method: string | undefined): Promise<string | undefined> {
  const settings = new VsCodeSettings();
  const current = settings.modelName();
  const prices = settings.prices();
  const other: vscode.QuickPickItem = { label: l10n.t('Other…'), detail: l10n.t('Enter a model ID or an alias.') };
  const choices: vscode.QuickPickItem[] = [
    { label: 'auto', ...autoTexts() },
    ...KNOWN_MODELS.map((model) => ({ label: model, ...modelTexts(model, prices, Date.now()) })),
    other,
  ];
  const items = choices.map((item) => {
    if (item.label !== current) return item;
    return { ...item, description: [l10n.t('in use'), item.description].filter(Boolean).join(' · ') };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Gantry: Select Model'),
    matchOnDescription: true,
    matchOnDetail: true,
    ...(method !== undefined && { placeHolder: l10n.t('Endpoint: {0}', method) }),
  });
  if (!picked) return undefined;
  const isOther = picked.label === other.label;
  const name = isOther ? await typeModel(current) : picked.label;
  if (name !== undefined) await saveSetting(Settings.modelName, name);
  return name;
}

function typeModel(current: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: l10n.t('Gantry: Select Model'),
    prompt: l10n.t('Enter the ID of a model that your endpoint offers, or an alias from gantry.model.configs.'),
    value: current === 'auto' ? '' : current,
    validateInput: (value) => problemWith(value),
  });
}

function problemWith(name: string): string | undefined {
  return isModelName(name)
    ? undefined
    : l10n.t('A model ID has letters, digits, dots, slashes and dashes, such as {0}.', DEFAULT_MODEL);
}
