import { HELP } from '../../../extension/headless/help.ts';
import { panelKeyRows } from '../../../extension/vscode/input/slash/shortcuts.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { shown } from '../nls.ts';
import { grouped } from './grouped.ts';

/** The parts of a setting's JSON schema that the tables need. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly order?: number;
  readonly scope?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

const settings: Readonly<Record<string, Schema>> = manifest.contributes.configuration.properties;
const { commands, keybindings, menus } = manifest.contributes;

/** One table per group of settings (`gantry.<group>.…`). */
export function settingsTables(): string {
  const ordered = Object.entries(settings).sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0));
  const groups = grouped(ordered, ([name]) => name.split('.')[1] ?? '');
  return [...groups]
    .map(([group, of]) =>
      section(`gantry.${group}`, ['Setting', 'Default', 'Folder', 'Description'], of.map(settingRow)),
    )
    .join('\n');
}

function settingRow([name, schema]: readonly [string, Schema]): readonly string[] {
  // A setting of another scope is read only from the user's settings, whatever a folder sets.
  const folder = schema.scope === 'window' ? 'yes' : 'no';
  return [code(name), code(JSON.stringify(schema.default)), folder, [textOf(schema), ...values(schema)].join('<br>')];
}

function values({ enum: names = [], enumDescriptions = [], properties, additionalProperties }: Schema): string[] {
  const parts = properties ?? (typeof additionalProperties === 'object' ? additionalProperties.properties : undefined);
  return [
    ...names.map((name, at) => `${code(name)}: ${shown(enumDescriptions[at] ?? '')}`),
    ...Object.entries(parts ?? {}).map(([name, part]) => `${code(name)}: ${textOf(part)}`),
  ];
}

function textOf({ markdownDescription, description }: Schema): string {
  return shown(markdownDescription ?? description ?? '').replace(/`#([\w.]+)#`/g, '`$1`');
}

/** The commands of the Command Palette, with their keys. */
export function commandsTable(): string {
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  const rows = commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, title }) => [`Gantry: ${shown(title)}`, code(command), keysOf(command)]);
  return table(['Command', 'ID', 'Keys'], rows);
}

function keysOf(id: string): string {
  const binding = keybindings.find(({ command }) => command === id);
  if (binding === undefined) return '';
  const others = [
    ...('win' in binding && binding.win !== undefined ? [`${keyName(binding.win)} on Windows`] : []),
    ...('mac' in binding && binding.mac !== undefined ? [`${keyName(binding.mac)} on macOS`] : []),
  ];
  return [keyName(binding.key), ...others].join(', ');
}

function keyName(key: string): string {
  return key.replace(/\w+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** The keys inside the panel, as `/shortcuts` lists them. */
export function panelKeysTable(): string {
  const rows = panelKeyRows({ send: 'Enter', newLine: 'Shift+Enter', control: 'Ctrl' });
  return table(
    ['Key', 'Action'],
    rows.map(({ name, value }) => [name, value]),
  );
}

/** The output of `gantry --help`. */
export function helpText(): string {
  return `\`\`\`text\n${HELP.trimEnd()}\n\`\`\`\n`;
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `### ${title}\n\n${table(head, rows)}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
export const code = (text: string): string => `\`${text}\``;
