import { tmpdir } from 'node:os';
import { win32 } from 'node:path';
import { runProgram } from './run-program.ts';
import { commandEnvironment } from './shell/clean-environment.ts';

export interface DesktopNotice {
  readonly title: string;
  readonly text: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface NotifierCommand {
  /** Absolute, so that a program in a workspace is never found instead. */
  readonly file: string;
  readonly args: readonly string[];
  /** In addition to the user's environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Enough for one line; the desktop cuts longer texts anyway. */
const MAX_LENGTH = 200;
const TIMEOUT_MS = 10_000;

/** Shows a notification of the operating system with the system's own program. Returns false if there is none. */
export async function notifyDesktop(
  { title, text, environment }: DesktopNotice,
  command = notifierOf(process.platform, plain(title), plain(text), environment),
): Promise<boolean> {
  if (!command) return false;
  const { exitCode } = await runProgram({
    ...command,
    folder: tmpdir(),
    environment: { ...commandEnvironment(environment), ...command.environment },
    signal: new AbortController().signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: 4096,
  });
  return exitCode === 0;
}

/** The texts are arguments or variables of the program, never part of a script. */
export function notifierOf(
  platform: NodeJS.Platform,
  title: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): NotifierCommand | undefined {
  switch (platform) {
    case 'darwin':
      return { file: '/usr/bin/osascript', args: [...APPLE_SCRIPT.flatMap((line) => ['-e', line]), title, text] };
    case 'linux':
      // The body may contain markup, which begins with these two characters.
      return {
        file: '/usr/bin/notify-send',
        args: ['--app-name=Gantry', '--', title, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
      };
    case 'win32':
      return {
        file: win32.join(
          environment['SystemRoot'] ?? 'C:\\Windows',
          'System32\\WindowsPowerShell\\v1.0\\powershell.exe',
        ),
        args: ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL],
        environment: { GANTRY_NOTICE_TITLE: title, GANTRY_NOTICE_TEXT: text },
      };
    default:
      return undefined;
  }
}

const APPLE_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
] as const;

/** A toast requires the id of an installed application. PowerShell is on every Windows. */
const POWERSHELL = [
  '$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
  '$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent("ToastText02")',
  '$lines = $toast.GetElementsByTagName("text")',
  '$null = $lines.Item(0).AppendChild($toast.CreateTextNode($env:GANTRY_NOTICE_TITLE))',
  '$null = $lines.Item(1).AppendChild($toast.CreateTextNode($env:GANTRY_NOTICE_TEXT))',
  '$app = "{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe"',
  '[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($toast))',
].join('; ');

function plain(text: string): string {
  return [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, MAX_LENGTH).join('');
}
