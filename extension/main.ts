import type * as vscode from 'vscode';
import type { GantryApi } from './protocol/agent/gantry-api.ts';
import { Composition } from './vscode/composition.ts';
import { useDisplayLanguage } from './vscode/display-language.ts';

let surface: Composition | undefined;

export function activate(context: vscode.ExtensionContext): GantryApi {
  useDisplayLanguage();
  surface = new Composition(context);
  context.subscriptions.push(surface);
  return surface.api;
}

export async function deactivate(): Promise<void> {
  await surface?.shutDown();
}
