import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AUTO_SAVED } from '../../policy/policy-types.ts';
import { withoutIcons } from '../base/escape-ui-text.ts';
import { type ConfigScope, configScopes } from './config-scopes.ts';
import { askFile } from './new-file.ts';

/** The file that a new rule is written to. */
export interface PolicyTarget {
  /** Absolute. */
  readonly path: string;
  readonly scope: ConfigScope['scope'];
}

interface TargetItem extends vscode.QuickPickItem {
  readonly path?: string;
  readonly of?: ConfigScope;
}

/** Asks which file a rule is for: one that has rules already, or a new one. `named` are the paths in settings. */
export async function pickPolicyTarget(title: string, named: readonly string[]): Promise<PolicyTarget | undefined> {
  const items = (await Promise.all(configScopes().map((of) => itemsOf(of, named)))).flat();
  const choices = items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
  const picked =
    choices.length === 1
      ? choices[0]
      : await vscode.window.showQuickPick(items, { title, placeHolder: l10n.t('Where does the rule belong?') });
  if (!picked?.of) return undefined;
  const { scope } = picked.of;
  const path = picked.path ?? (await askNewFile(title, policiesOf(picked.of)));
  return path === undefined ? undefined : { path, scope };
}

async function itemsOf(of: ConfigScope, named: readonly string[]): Promise<TargetItem[]> {
  const folder = policiesOf(of);
  const places = [folder, ...(of.scope === 'user' ? named : [])];
  const paths = new Set((await Promise.all(places.map(policyFilesIn))).flat());
  const files = [...paths].map((path): TargetItem => ({ label: withoutIcons(basename(path)), detail: path, path, of }));
  const create: TargetItem = { label: `$(new-file) ${l10n.t('New File…')}`, detail: folder, of };
  const separator = { label: `${of.label}, ${of.description}`, kind: vscode.QuickPickItemKind.Separator };
  return [separator, ...files, create];
}

/** The policy files of a folder, or the file itself. Gantry writes saved answers to a file of their own. */
async function policyFilesIn(place: string): Promise<readonly string[]> {
  if (place.endsWith('.toml')) return [place];
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.file(place)).then(
    (found) => found,
    () => [],
  );
  const files = entries.filter(([name, type]) => type === vscode.FileType.File && name.endsWith('.toml'));
  const names = files.map(([name]) => name).filter((name) => name !== AUTO_SAVED);
  return names.sort().map((name) => join(place, name));
}

function policiesOf({ folder }: ConfigScope): string {
  return join(folder, 'policies');
}

async function askNewFile(title: string, folder: string): Promise<string | undefined> {
  const asked = await askFile({
    title,
    folder,
    rule: l10n.t('A name consists of letters, digits, ".", "-" and "_".'),
    value: 'my-rules',
    fileOf: (value) => {
      const name = value.replace(/\.toml$/, '');
      return /^[\w-][\w.-]{0,99}$/.test(name) ? join(folder, `${name}.toml`) : undefined;
    },
  });
  return asked?.file;
}
