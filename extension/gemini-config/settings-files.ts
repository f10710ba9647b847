import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isMissing } from '../files/error-code.ts';
import { FileFailure, failureReason } from '../files/file-failure.ts';
import type { OpenTexts } from '../files/read-beginning.ts';
import { openRegularFile, readUpTo } from '../files/regular-file.ts';

export interface SettingsFile {
  /** An absolute path. */
  readonly path: string;
  readonly source: 'project' | 'user' | 'system';
}

export interface SettingsPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The open folder, if there is one. */
  readonly root: string | undefined;
  readonly platform: NodeJS.Platform;
}

/** The settings files in Gemini CLI's layout. Those of the project come first. */
export function settingsFiles({ environment, home, root, platform }: SettingsPlaces): SettingsFile[] {
  const user = join(geminiHome(environment, home), '.gemini', 'settings.json');
  const project = root === undefined ? undefined : join(root, '.gemini', 'settings.json');
  const system = systemSettingsFile({ environment, platform });
  return [
    // In the home folder, both are the same file, which is the user's.
    ...(project === undefined || project === user ? [] : [{ path: project, source: 'project' } as const]),
    { path: user, source: 'user' },
    { path: system, source: 'system' },
  ];
}

/** An administrator's defaults: all other settings override them. */
export function systemDefaultsFile(places: Pick<SettingsPlaces, 'environment' | 'platform'>): string {
  const named = places.environment['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'];
  return named || join(dirname(systemSettingsFile(places)), 'system-defaults.json');
}

function systemSettingsFile({ environment, platform }: Pick<SettingsPlaces, 'environment' | 'platform'>): string {
  return environment['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] || join(systemFolder(platform), 'settings.json');
}

function systemFolder(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'C:\\ProgramData\\gemini-cli';
  return platform === 'darwin' ? '/Library/Application Support/GeminiCli' : '/etc/gemini-cli';
}

/** Real settings files have a few KB. */
const MAX_BYTES = 1024 * 1024;

export type FileText = { readonly text: string } | { readonly problem: string };

/**
 * Returns undefined if there is no such file. `accepts` checks the real path before the file is opened. The text of an
 * open document counts instead of the file.
 */
export async function readSettings(
  path: string,
  accepts: (realPath: string) => boolean | Promise<boolean> = () => true,
  open?: OpenTexts,
): Promise<FileText | undefined> {
  const text = open?.textOf(path);
  try {
    const real = await realpath(path);
    if (!(await accepts(real))) return { problem: l10n.t('it links to a file outside its folder') };
    if (text !== undefined) return settingsText(text);
    const file = await openRegularFile(real);
    if (!file.opened) return file.reason === 'missing' ? undefined : notRead(new FileFailure(file.reason));
    const bytes = await readUpTo(file.handle, file.size, MAX_BYTES).finally(() => file.handle.close());
    return bytes ? { text: bytes.toString('utf8') } : tooLarge();
  } catch (error) {
    if (isMissing(error)) return text === undefined ? undefined : settingsText(text);
    return notRead(error);
  }
}

/** The text of a settings file, unless a file with this text is not read. */
export function settingsText(text: string): FileText {
  return Buffer.byteLength(text) > MAX_BYTES ? tooLarge() : { text };
}

function tooLarge(): FileText {
  return { problem: l10n.t('it is larger than 1 MB') };
}

function notRead(error: unknown): FileText {
  return { problem: l10n.t('it cannot be read ({0})', failureReason(error)) };
}

/** The folder that contains `.gemini`, by Gemini CLI's own rule. */
export function geminiHome(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  return environment['GEMINI_CLI_HOME'] || home;
}
