import * as vscode from 'vscode';
import { DEFAULT_MODEL, isModelName, KNOWN_MODELS } from '../model/model-choice.ts';
import { AUTO_TEXT, modelLine } from './model-texts.ts';
import { Settings } from './names.ts';
import { saveSetting, VsCodeSettings } from './settings.ts';

/** Asks for a model and keeps it in the user's settings. Undefined when none was picked. `method` says where it will be asked. */
export async function pickModel(method: string | undefined): Promise<string | undefined> {
  const settings = new VsCodeSettings();
  const current = settings.modelName();
  const prices = settings.prices();
  const other: vscode.QuickPickItem = { label: 'Other…', detail: 'Type a model id or an alias.' };
  const choices: vscode.QuickPickItem[] = [
    { label: 'auto', detail: AUTO_TEXT },
    ...KNOWN_MODELS.map((model) => ({ label: model, detail: modelLine(model, prices, Date.now()) })),
    other,
  ];
  const items = choices.map((item) => (item.label === current ? { ...item, description: 'in use' } : item));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Gantry: Select Model',
    matchOnDetail: true,
    ...(method !== undefined && { placeHolder: `Asked at ${method}` }),
  });
  if (!picked) return undefined;
  const isOther = picked.label === other.label;
  const name = isOther ? await typeModel(current) : picked.label;
  if (name !== undefined) await saveSetting(Settings.modelName, name);
  return name;
}

function typeModel(current: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Gantry: Select Model',
    prompt: 'The id of a model your endpoint offers, or an alias of gantry.model.configs.',
    value: current === 'auto' ? '' : current,
    validateInput: (value) => problemWith(value),
  });
}

function problemWith(name: string): string | undefined {
  return isModelName(name)
    ? undefined
    : `A model id has letters, digits, dots, slashes and dashes, such as ${DEFAULT_MODEL}.`;
}
