import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { TokenColours } from '../../protocol/token-roles.ts';
import { customRules } from './colour-settings.ts';
import { parseJsonWithComments } from './json-with-comments.ts';
import { type ColourRule, colourRules, paletteOf, themeSchema } from './token-palette.ts';

const contributedSchema = z.array(z.object({ id: z.optional(z.string()), label: z.string(), path: z.string() }));

/** Themes build on one another; more than this is a circle. */
const MOST_INCLUDES = 8;

/** The colours that the theme of this name has for code. VS Code tells no extension, so the theme's own files are read. */
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
    const themes = contributedSchema.safeParse(packageJSON?.contributes?.themes).data ?? [];
    const theme = themes.find(({ id, label }) => (id ?? label) === name) ?? themes.find(({ label }) => label === name);
    if (theme) return { folder: extensionUri, file: vscode.Uri.joinPath(extensionUri, theme.path) };
  }
  return undefined;
}

/** Those of the file that it includes come first. Nothing outside the theme's extension is read. */
async function fileRules(folder: vscode.Uri, file: vscode.Uri, includes: number): Promise<readonly ColourRule[]> {
  if (includes === 0 || !file.path.startsWith(`${folder.path}/`)) return [];
  const theme = themeSchema.safeParse(parseJsonWithComments(await textOf(file))).data;
  if (!theme) return [];
  const { include, tokenColors } = theme;
  const base = include === undefined ? [] : await fileRules(folder, besides(file, include), includes - 1);
  return [...base, ...(Array.isArray(tokenColors) ? colourRules(tokenColors) : [])];
}

function besides(file: vscode.Uri, path: string): vscode.Uri {
  return vscode.Uri.joinPath(file, '..', path);
}

async function textOf(file: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    // A theme that was uninstalled a moment ago.
    return '';
  }
}
