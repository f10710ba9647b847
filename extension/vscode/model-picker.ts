import * as vscode from 'vscode';
import { DEFAULT_MODEL, isModelName, KNOWN_MODELS } from '../model/model-choice.ts';
import { Settings } from './names.ts';
import { saveSetting, VsCodeSettings } from './settings.ts';

/** Asks for a model and keeps it in the user's settings. Undefined when none was picked. */
export async function pickModel(): Promise<string | undefined> {
  const current = new VsCodeSettings().modelName();
  const other: vscode.QuickPickItem = { label: 'Other…', description: 'type a model id' };
  const choices: vscode.QuickPickItem[] = [
    { label: 'auto', description: `now ${DEFAULT_MODEL}` },
    ...KNOWN_MODELS.map((model) => ({ label: model })),
    other,
  ];
  const items = choices.map((item) => (item.label === current ? { ...item, detail: 'in use' } : item));
  const picked = await vscode.window.showQuickPick(items, { title: 'Gantry: Select Model' });
  if (!picked) return undefined;
  const isOther = picked.label === other.label;
  const name = isOther ? await typeModel(current) : picked.label;
  if (name !== undefined) await saveSetting(Settings.modelName, name);
  return name;
}

function typeModel(current: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Gantry: Select Model',
    prompt: 'The id of a model your endpoint offers.',
    value: current === 'auto' ? '' : current,
    validateInput: (value) => problemWith(value),
  });
}

function problemWith(name: string): string | undefined {
  return isModelName(name)
    ? undefined
    : `A model id has letters, digits, dots, slashes and dashes, such as ${DEFAULT_MODEL}.`;
}
