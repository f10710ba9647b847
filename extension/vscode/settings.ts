import * as vscode from 'vscode';
import type { AuthMethod, SettingsPort } from '../runtime/host.ts';
import { AuthMethods, type Setting, Settings, type SettingTypes } from './names.ts';

const SECTION = 'gantry';

/** Settings as the runtime asks for them. Values are checked: settings.json is edited by hand. */
export class VsCodeSettings implements SettingsPort {
  authMethod(): AuthMethod {
    const method = ofUser(Settings.authMethod);
    return AuthMethods.find((known) => known === method) ?? 'auto';
  }

  modelName(): string {
    const name = effective(Settings.modelName);
    return typeof name === 'string' && name.trim() !== '' ? name.trim() : 'auto';
  }

  baseUrl(): string {
    const url = ofUser(Settings.baseUrl);
    return typeof url === 'string' ? url.trim() : '';
  }

  maxTurns(): number {
    const turns = effective(Settings.maxTurns);
    return Number.isInteger(turns) ? (turns as number) : -1;
  }
}

export function changesSettings(event: vscode.ConfigurationChangeEvent): boolean {
  return event.affectsConfiguration(SECTION);
}

export async function saveSetting<Key extends Setting>(key: Key, value: SettingTypes[Key]): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}

function effective(key: Setting): unknown {
  return vscode.workspace.getConfiguration(SECTION).get(key);
}

/** What the user set, never what a folder says: a repository must not choose where its contents are sent. */
function ofUser(key: Setting): unknown {
  const values = vscode.workspace.getConfiguration(SECTION).inspect(key);
  return values?.globalValue ?? values?.defaultValue;
}
