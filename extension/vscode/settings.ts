import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { isObject } from '../base/objects.ts';
import type {
  AuthMethod,
  AuthSettings,
  Limit,
  Limits,
  Price,
  SandboxSettings,
  SettingsPort,
} from '../ports/settings.ts';
import { type ApprovalMode, isApprovalMode } from '../protocol/agent/approval-mode.ts';
import { THINKING_WAYS, type ThinkingWay } from '../protocol/agent/thinking.ts';
import type { SendKey } from '../protocol/panel/input-to-panel.ts';
import { userMcpFile } from './base/user-mcp-file.ts';
import { AuthMethods, type Setting, Settings, type SettingTypes } from './names.ts';

const SECTION = 'gantry';

/** Gemini CLI's: half of the window is left for the answer and for what it needs. */
const HALF = 0.5;
/** More would only make people wait for what does not come. */
const MAX_ATTEMPTS = 10;

/** Settings as the runtime asks for them. Values are checked: settings.json is edited by hand. */
export class VsCodeSettings implements SettingsPort {
  /** Where Gantry's own files are, from which some of VS Code's are known. */
  constructor(private readonly storage?: vscode.Uri) {}

  authMethod(): AuthMethod {
    const method = ofUser(Settings.authMethod);
    return AuthMethods.find((known) => known === method) ?? 'auto';
  }

  auth(): AuthSettings {
    const headers = ofUser(Settings.authHeaders);
    return {
      project: textOf(Settings.authProject),
      location: textOf(Settings.authLocation),
      headers: Object.fromEntries(Object.entries(isObject(headers) ? headers : {}).filter(isText)),
      clientId: textOf(Settings.authClientId),
      clientSecret: textOf(Settings.authClientSecret),
      authorizationUrl: textOf(Settings.authPage),
      tokenUrl: textOf(Settings.authTokens),
    };
  }

  modelName(): string {
    const name = effective(Settings.modelName);
    return typeof name === 'string' && name.trim() !== '' ? name.trim() : 'auto';
  }

  baseUrl(): string {
    return textOf(Settings.baseUrl);
  }

  maxAttempts(): number {
    return Math.min(count(ofUser(Settings.maxAttempts)) || MAX_ATTEMPTS, MAX_ATTEMPTS);
  }

  limits(): Limits {
    const totals = everywhere(Settings.sessionTotal).filter(isObject);
    const total = (unit: keyof Limit): number => lowest(totals.map((values) => values[unit]));
    return {
      prompt: {
        turns: lowest(everywhere(Settings.maxTurns)),
        minutes: lowest(everywhere(Settings.maxMinutes)),
        tokens: lowest(everywhere(Settings.maxTokens)),
        cost: lowest(everywhere(Settings.maxCost)),
      },
      session: { turns: total('turns'), minutes: total('minutes'), tokens: total('tokens'), cost: total('cost') },
    };
  }

  prices(): Readonly<Record<string, Price>> {
    const prices = ofUser(Settings.prices);
    return Object.fromEntries(Object.entries(isObject(prices) ? prices : {}).filter(isPriceOfModel));
  }

  /** Checked where it is used, and only there: it takes more than a glance. */
  modelConfigs(): unknown {
    return ofUser(Settings.modelConfigs);
  }

  generation(): unknown {
    return ofUser(Settings.generation);
  }

  /** A folder must not be able to have the user's money spent. */
  loopDetection(): boolean {
    return ofUser(Settings.loopDetection) !== false;
  }

  /** Never yolo: that requires approval in each session. */
  approvalMode(): ApprovalMode {
    const mode = ofUser(Settings.approvalMode);
    return isApprovalMode(mode) && mode !== 'yolo' ? mode : 'default';
  }

  get wantsYolo(): boolean {
    return ofUser(Settings.approvalMode) === 'yolo';
  }

  /** `"gantry.sandbox": "off"` counts too. VS Code then ignores the settings whose names begin with it. */
  sandbox(): SandboxSettings {
    const short = ofUser('sandbox');
    const mode = typeof short === 'string' ? short : ofUser(Settings.sandboxMode);
    return {
      mode: mode === 'off' || mode === 'required' ? mode : 'auto',
      autoAllow: ofUser(Settings.sandboxAutoAllow) === true,
      ...(isUnset(Settings.sandboxAutoAllow) && { offersAutoAllow: true }),
      folders: texts(ofUser(Settings.sandboxFolders)).map(fromHome),
      network: texts(ofUser(Settings.sandboxNetwork)),
    };
  }

  answerMinutes(): number {
    return count(ofUser(Settings.approvalTimeout));
  }

  policyPaths(): readonly string[] {
    return texts(ofUser(Settings.policyPaths)).map(fromHome);
  }

  /** A folder says it in its own `.gemini/settings.json`, which counts once it is trusted. */
  contextFileNames(): readonly string[] {
    const names = ofUser(Settings.contextFileNames);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }

  /** An invalid value is replaced by the default. */
  compressionThreshold(): number {
    const share = ofUser(Settings.compressionThreshold);
    return typeof share === 'number' && share > 0 && share <= 1 ? share : HALF;
  }

  /** A repository must not choose which of the user's secrets are sent. */
  redactsSecrets(): boolean {
    return ofUser(Settings.redactSecrets) !== false;
  }

  /** A folder has its own files for that, and starts nothing without approval. */
  mcpServers(): unknown {
    return ofUser(Settings.mcpServers);
  }

  mcpFiles(): readonly string[] {
    const file = this.storage && userMcpFile(this.storage);
    return file === undefined ? [] : [file];
  }

  retention(): { readonly days: number; readonly count: number } {
    return { days: count(ofUser(Settings.keepDays)), count: count(ofUser(Settings.keepCount)) };
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : [];
}

function fromHome(path: string): string {
  return resolve(homedir(), path.replace(/^~(?=[\\/]|$)/, homedir()));
}

/** After how many seconds a run is a long one; 0 for never. */
export function longRunSeconds(): number {
  return count(ofUser(Settings.longRun));
}

/** Which keys send a message. */
export function sendKey(): SendKey {
  const key = ofUser(Settings.sendKey);
  return key === 'ctrlEnter' || key === 'shiftEnter' ? key : 'enter';
}

export function thinkingWay(): ThinkingWay {
  const way = ofUser(Settings.thinking);
  return THINKING_WAYS.find((known) => known === way) ?? 'collapsed';
}

/** Whether terminals know the command `gantry`. */
export function addsToPath(): boolean {
  return ofUser(Settings.addToPath) !== false;
}

/** What is open goes with messages unless somebody says no: a folder may switch it off, not on again. */
export function includesEditor(): boolean {
  return everywhere(Settings.contextEditor).every((value) => value !== false);
}

/** The strictest of several limits: a repository may lower what the user allows to be spent, and not raise it. */
function lowest(values: readonly unknown[]): number {
  const limits = values.filter((value): value is number => typeof value === 'number' && value >= 0);
  return limits.length === 0 ? -1 : Math.min(...limits);
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
}

function isPriceOfModel(entry: [string, unknown]): entry is [string, Price] {
  const [, price] = entry;
  if (!isObject(price)) return false;
  const { input, output, cached } = price;
  return isPrice(input) && isPrice(output) && (cached === undefined || isPrice(cached));
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

export function changesSettings(event: vscode.ConfigurationChangeEvent): boolean {
  return event.affectsConfiguration(SECTION);
}

/** Whether a proposed edit opens its diff by itself. */
export function opensDiffs(): boolean {
  return effective(Settings.openDiff) !== 'onRequest';
}

export async function saveSetting<Key extends Setting>(key: Key, value: SettingTypes[Key]): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}

/** One more for a list of the user's. */
export async function addToSetting(key: 'sandbox.folders' | 'sandbox.network', text: string): Promise<void> {
  const listed = texts(ofUser(key));
  if (!listed.includes(text)) await saveSetting(key, [...listed, text]);
}

/** The user has said neither this nor that. */
function isUnset(key: Setting): boolean {
  return vscode.workspace.getConfiguration(SECTION).inspect(key)?.globalValue === undefined;
}

function effective(key: Setting): unknown {
  return vscode.workspace.getConfiguration(SECTION).get(key);
}

/** What the user and the folders say, each by itself. */
function everywhere(key: Setting): unknown[] {
  const values = vscode.workspace.getConfiguration(SECTION).inspect(key);
  return [values?.globalValue ?? values?.defaultValue, values?.workspaceValue, values?.workspaceFolderValue];
}

function textOf(key: Setting): string {
  const text = ofUser(key);
  return typeof text === 'string' ? text.trim() : '';
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

/** What the user set, never what a folder says: a repository must not choose where its contents are sent. */
function ofUser(key: Setting | 'sandbox'): unknown {
  const values = vscode.workspace.getConfiguration(SECTION).inspect(key);
  return values?.globalValue ?? values?.defaultValue;
}
