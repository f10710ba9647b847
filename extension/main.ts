import type * as vscode from 'vscode';
import { Surface } from './vscode/composition.ts';
import { useDisplayLanguage } from './vscode/display-language.ts';
import type { GantryApi } from './vscode/public-api.ts';

let surface: Surface | undefined;

export function activate(context: vscode.ExtensionContext): GantryApi {
  useDisplayLanguage();
  surface = new Surface(context);
  context.subscriptions.push(surface);
  return surface.api;
}

export async function deactivate(): Promise<void> {
  await surface?.shutDown();
}
