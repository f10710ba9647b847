import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { geminiHome } from '../../gemini-config/settings-files.ts';
import { withoutIcons } from '../base/escape-ui-text.ts';
import { fileFolders } from '../base/workspace.ts';

/** A `.gemini` folder that the user can write to. */
export interface ConfigScope {
  readonly scope: 'user' | 'workspace';
  /** For lists. */
  readonly label: string;
  readonly description: string;
  /** The absolute path of `.gemini`. */
  readonly folder: string;
}

/** The user's own folder, and that of each open folder. In Restricted Mode, files of a folder don't count. */
export function configScopes(): readonly ConfigScope[] {
  const user: ConfigScope = {
    scope: 'user',
    label: l10n.t('Yours'),
    description: l10n.t('in every folder'),
    folder: join(geminiHome(process.env, homedir()), '.gemini'),
  };
  if (!vscode.workspace.isTrusted) return [user];
  const ofFolders = fileFolders().map(
    ({ name, uri }): ConfigScope => ({
      scope: 'workspace',
      label: withoutIcons(name),
      description: l10n.t('in this folder'),
      folder: join(uri.fsPath, '.gemini'),
    }),
  );
  // If the home folder is open, its files are the user's own.
  return [user, ...ofFolders.filter(({ folder }) => folder !== user.folder)];
}
