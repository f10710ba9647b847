import { homedir } from 'node:os';
import type { GeminiSetting, GeminiSettings } from '../gemini-config/gemini-settings.ts';
import { SettingsReader } from '../gemini-config/settings-reader.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of Gemini CLI for a run of the command line. Those that do not count are named. Never rejects. */
export function readGeminiSettings(
  workspace: WorkspacePort,
  environment: Environment,
  report: (note: string) => void,
): Promise<GeminiSettings> {
  return new SettingsReader({ workspace, environment, home: homedir(), report }).refresh();
}

/** The model to ask where no flag names one: that of the environment, then that of the settings. */
export function configuredModel(settings: GeminiSettings, environment: Environment): string | undefined {
  const named = settings.inForce('model.name')?.value;
  return environment['GEMINI_MODEL']?.trim() || (typeof named === 'string' && named.trim()) || undefined;
}

/** How many turns a run may take where no flag says so; -1 for no limit. A folder can only lower it. */
export function configuredTurns(settings: GeminiSettings): number {
  const key = 'model.maxSessionTurns';
  const limits = [settings.own(key), ...settings.ofFolders(key)].map(turnsIn).filter((turns) => turns >= 0);
  return limits.length === 0 ? -1 : Math.min(...limits);
}

function turnsIn(setting: GeminiSetting | undefined): number {
  return typeof setting?.value === 'number' && Number.isInteger(setting.value) ? setting.value : -1;
}

/** The mode to work in where no flag names one. A folder has no say, and nobody can set yolo like this, as in Gemini CLI. */
export function configuredMode(settings: GeminiSettings): ApprovalMode {
  switch (settings.own('general.defaultApprovalMode')?.value) {
    case 'auto_edit':
      return 'autoEdit';
    case 'plan':
      return 'plan';
    default:
      return 'default';
  }
}
