import { type SettingKey, settingKeys } from '../../../extension/gemini-config/setting-keys.ts';
import { grouped } from './grouped.ts';

/** All keys of Gemini CLI's settings, one table per section. Keys with the same answer share a row. */
export function geminiKeysTables(): string {
  const sections = grouped(settingKeys(), ({ key }) => (key.includes('.') ? (key.split('.')[0] ?? '') : 'at the top'));
  return [...sections]
    .map(([section, keys]) => {
      const rows = grouped(keys, ({ verdict, note }) => `${verdict} | ${note}`);
      const lines = [...rows].map(
        ([answer, of]) => `| ${of.map((key) => shortName(key, section)).join(', ')} | ${answer} |`,
      );
      return `### ${section}\n\n| Key | Status | Note |\n|---|---|---|\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

function shortName({ key }: SettingKey, section: string): string {
  return `\`${key.startsWith(`${section}.`) ? key.slice(section.length + 1) : key}\``;
}
