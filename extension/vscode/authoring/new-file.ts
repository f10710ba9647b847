import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ConfigScope, configScopes } from './config-scopes.ts';
import type { NewFileKind } from './new-file-kinds.ts';
import { fileExists, openNewFile } from './open-snippet.ts';

interface PlaceItem extends vscode.QuickPickItem {
  readonly place: ConfigScope;
}

/** Asks for scope and name, and opens the file with a text to fill in. A file that exists is only opened. */
export async function beginNewFile(kind: NewFileKind): Promise<void> {
  const place = await pickPlace(kind);
  if (!place) return;
  const { title, rule, placeholder, pathOf, snippet } = kind;
  const fileOf = (name: string): string | undefined => {
    const parts = pathOf(name);
    return parts && join(place.folder, ...parts);
  };
  const folder = join(place.folder, ...kindFolder(kind));
  const asked = await askFile({ title, folder, rule, placeholder, fileOf });
  if (asked) await openNewFile(asked.file, snippet(asked.name));
}

async function pickPlace(kind: NewFileKind): Promise<ConfigScope | undefined> {
  const [only, ...others] = configScopes();
  if (others.length === 0) return only;
  const items = configScopes().map(
    (place): PlaceItem => ({
      label: place.label,
      description: place.description,
      detail: join(place.folder, ...kindFolder(kind)),
      place,
    }),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: kind.title,
    placeHolder: l10n.t('Where does it apply?'),
  });
  return picked?.place;
}

/** The folder of such files, below `.gemini`. */
function kindFolder({ pathOf, placeholder }: NewFileKind): readonly string[] {
  return pathOf(placeholder)?.slice(0, 1) ?? [];
}

interface FileQuestion {
  readonly title: string;
  /** Where the file will be. Absolute. */
  readonly folder: string;
  /** What makes a name. */
  readonly rule: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** The absolute path. Undefined if this is no name. */
  fileOf(name: string): string | undefined;
}

/** Asks for the name of a file, and says which one is opened. */
export async function askFile(
  question: FileQuestion,
): Promise<{ readonly file: string; readonly name: string } | undefined> {
  const { title, folder, rule, placeholder, value = '', fileOf } = question;
  const answer = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('For a file in {0}. {1}', folder, rule),
    value,
    ...(placeholder !== undefined && { placeHolder: placeholder }),
    ignoreFocusOut: true,
    validateInput: async (typed) => {
      const file = fileOf(typed.trim());
      if (file === undefined) return typed.trim() === '' ? undefined : rule;
      const message = (await fileExists(file)) ? l10n.t('Opens {0}, which exists.', file) : l10n.t('Opens {0}.', file);
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  const name = answer?.trim() ?? '';
  const file = fileOf(name);
  return file === undefined ? undefined : { file, name };
}
