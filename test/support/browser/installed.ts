import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const linuxNames: readonly string[] = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
  'chromium-headless-shell',
];

const macApplications: readonly string[] = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const windowsPrograms: readonly string[] = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** The possible paths of a browser of the Chrome family, best first. */
export function browserCandidates(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] {
  switch (platform) {
    case 'darwin':
      return macApplications.flatMap((name) =>
        ['/Applications', join(env['HOME'] ?? '', 'Applications')].map(
          (folder) => `${folder}/${name}.app/Contents/MacOS/${name}`,
        ),
      );
    case 'win32':
      return windowsPrograms.flatMap((program) =>
        [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']]
          .filter((folder) => folder !== undefined)
          .map((folder) => `${folder}\\${program}`),
      );
    default: {
      const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
      return linuxNames.flatMap((name) => folders.map((folder) => join(folder, name)));
    }
  }
}

export function installedBrowser(): string | undefined {
  return browserCandidates(process.platform, process.env).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
