import * as l10n from '@vscode/l10n';
import type { NoticeRow, SlashNotice } from '../../suggestions/slash-command.ts';

/** Keys inside the panel. A test presses each of them where it should work. */
export const PANEL_KEYS = [
  'send',
  'newLine',
  'queue',
  'stop',
  'recall',
  'mention',
  'command',
  'shell',
  'removeAttachment',
  'find',
  'findNext',
  'findPrevious',
  'walk',
  'openEntry',
  'ends',
  'allow',
  'reject',
  'renameSession',
  'deleteSession',
  'closeSheet',
] as const;

export type PanelKey = (typeof PANEL_KEYS)[number];

export interface KeyNames {
  readonly send: string;
  readonly newLine: string;
  /** The name of the Ctrl key on this platform. */
  readonly control: string;
}

export function panelKeyRow(key: PanelKey, { send, newLine, control }: KeyNames): NoticeRow {
  switch (key) {
    case 'send':
      return { name: send, value: l10n.t('Send the message, or steer the run') };
    case 'newLine':
      return { name: newLine, value: l10n.t('New line') };
    case 'queue':
      return { name: 'Alt+Enter', value: l10n.t('Queue until this turn ends') };
    case 'stop':
      return { name: 'Escape', value: l10n.t('Close the list, then stop') };
    case 'recall':
      return { name: l10n.t('Up and Down'), value: l10n.t('On the first and last line: earlier messages') };
    case 'mention':
      return { name: '@', value: l10n.t('Mention a file, symbol, problem and so on') };
    case 'command':
      return { name: '/', value: l10n.t('Commands') };
    case 'shell':
      return { name: '!', value: l10n.t('Run your own command') };
    case 'removeAttachment':
      return { name: 'Backspace', value: l10n.t('At the start of the input: remove the last attachment') };
    case 'find':
      return { name: `${control}+F`, value: l10n.t('Find in the conversation') };
    case 'findNext':
      return { name: 'F3', value: l10n.t('Next match') };
    case 'findPrevious':
      return { name: 'Shift+F3', value: l10n.t('Previous match') };
    case 'walk':
      return {
        name: l10n.t('Up and Down'),
        value: l10n.t('In the conversation: move between entries; Right expands, Left collapses'),
      };
    case 'openEntry':
      return { name: 'Enter', value: l10n.t('In the conversation: open the file or the details of the entry') };
    case 'ends':
      return { name: l10n.t('Home and End'), value: l10n.t('In the conversation: go to its beginning or end') };
    case 'allow':
      return { name: `${control}+Enter`, value: l10n.t('On an approval: allow once') };
    case 'reject':
      return { name: `${control}+Backspace`, value: l10n.t('On an approval: reject') };
    case 'renameSession':
      return { name: 'F2', value: l10n.t('In the list of sessions: rename') };
    case 'deleteSession':
      return { name: 'Delete', value: l10n.t('In the list of sessions: delete') };
    case 'closeSheet':
      return { name: 'Escape', value: l10n.t('In the list of sessions and in other sheets: back') };
  }
}

export const panelKeyRows = (names: KeyNames): readonly NoticeRow[] => PANEL_KEYS.map((key) => panelKeyRow(key, names));

/** The part of package.json that defines keys. VS Code has translated the titles by the time this is read. */
export interface ManifestKeys {
  readonly commands: readonly { readonly command: string; readonly title: string }[];
  readonly keybindings: readonly {
    readonly command: string;
    readonly key: string;
    readonly mac?: string;
    readonly win?: string;
  }[];
}

/** The default keys outside of the panel. */
export function boundKeyRows({ commands, keybindings }: ManifestKeys, platform: NodeJS.Platform): readonly NoticeRow[] {
  return keybindings.map(({ command, key, mac, win }) => {
    const here = (platform === 'darwin' ? mac : platform === 'win32' ? win : undefined) ?? key;
    return { name: keyName(here), value: commands.find((other) => other.command === command)?.title ?? command };
  });
}

/** "ctrl+k shift+e" as "Ctrl+K Shift+E". */
function keyName(key: string): string {
  return key.replace(/\w+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

export function shortcutsNotice(names: KeyNames, manifest: ManifestKeys, platform: NodeJS.Platform): SlashNotice {
  return { title: l10n.t('Keyboard shortcuts'), rows: [...panelKeyRows(names), ...boundKeyRows(manifest, platform)] };
}
