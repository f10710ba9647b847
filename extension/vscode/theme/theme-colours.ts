import * as vscode from 'vscode';
import { isObject } from '../../base/objects.ts';
import type { TokenColours } from '../../protocol/panel/token-roles.ts';
import { readJson } from '../../text/json-with-comments.ts';
import { type ColourRule, colourRules, customRules, paletteOf } from './token-palette.ts';

/** Themes can include others. A longer chain is a cycle. */
const MOST_INCLUDES = 8;

/** The colors of a theme for code. VS Code offers no API for them, so they are read from the theme's files. */
export async function themeColours(name: string): Promise<TokenColours> {
  const theme = contributedTheme(name);
  const rules = theme ? await fileRules(theme.folder, theme.file, MOST_INCLUDES) : [];
  const setting = vscode.workspace.getConfiguration('editor').get<unknown>('tokenColorCustomizations');
  return paletteOf([...rules, ...customRules(setting, name)]);
}

interface ThemeFile {
  readonly folder: vscode.Uri;
  readonly file: vscode.Uri;
}

function contributedTheme(name: string): ThemeFile | undefined {
  for (const { packageJSON, extensionUri } of vscode.extensions.all) {
    const themes: unknown = packageJSON?.contributes?.themes;
    // VS Code names a theme by its id, or else by its label.
    const theme = (Array.isArray(themes) ? themes : []).find(
      (each) => isObject(each) && (each['id'] ?? each['label']) === name,
    );
    if (typeof theme?.path === 'string') {
      return { folder: extensionUri, file: vscode.Uri.joinPath(extensionUri, theme.path) };
    }
  }
  return undefined;
}

/** The rules of an included file come first. Reads nothing outside the theme's extension. */
async function fileRules(folder: vscode.Uri, file: vscode.Uri, includes: number): Promise<readonly ColourRule[]> {
  if (includes === 0 || !file.path.startsWith(`${folder.path}/`)) return [];
  const theme = readJson(await textOf(file));
  if (!('value' in theme) || !isObject(theme.value)) return [];
  const { include, tokenColors } = theme.value;
  const base = typeof include === 'string' ? await fileRules(folder, besides(file, include), includes - 1) : [];
  // A string refers to a file in another format, which is not supported.
  return [...base, ...(Array.isArray(tokenColors) ? colourRules(tokenColors) : [])];
}

function besides(file: vscode.Uri, path: string): vscode.Uri {
  return vscode.Uri.joinPath(file, '..', path);
}

async function textOf(file: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    // The theme may just have been uninstalled.
    return '';
  }
}
