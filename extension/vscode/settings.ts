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
  TelemetrySettings,
} from '../ports/settings.ts';
import { type ApprovalMode, isApprovalMode } from '../protocol/agent/approval-mode.ts';
import { THINKING_WAYS, type ThinkingWay } from '../protocol/agent/thinking.ts';
import type { SendKey } from '../protocol/panel/input-to-panel.ts';
import { userMcpFile } from './base/user-mcp-file.ts';
import { AuthMethods, type Setting, Settings, type SettingTypes } from './names.ts';

const SECTION = 'gantry';

/** The default of Gemini CLI: half of the window is left for the answer and the context it needs. */
const HALF = 0.5;
/** More attempts would only make users wait longer for a request that fails. */
const MAX_ATTEMPTS = 10;

/** Provides the settings to the runtime. Values are validated, because settings.json is edited by hand. */
export class VsCodeSettings implements SettingsPort {
  /** `storage` is the folder of Gantry's own files, from which some paths of VS Code are derived. */
  constructor(private readonly storage?: vscode.Uri) {}

  authMethod(): AuthMethod {
    const method = ofUser(Settings.authMethod);
    return AuthMethods.find((known) => known === method) ?? 'auto';
  }

  auth(): AuthSettings {
    return {
      project: textOf(Settings.authProject),
      location: textOf(Settings.authLocation),
      headers: headersOf(Settings.authHeaders),
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

  /** Not validated here: validation is complex, so it is done only where the value is used. */
  modelConfigs(): unknown {
    return ofUser(Settings.modelConfigs);
  }

  generation(): unknown {
    return ofUser(Settings.generation);
  }

  /** Read from user settings only, because a folder must not be able to spend the user's money. */
  loopDetection(): boolean {
    return ofUser(Settings.loopDetection) !== false;
  }

  /** Never returns yolo, which requires approval in each session. */
  approvalMode(): ApprovalMode {
    const mode = ofUser(Settings.approvalMode);
    return isApprovalMode(mode) && mode !== 'yolo' ? mode : 'default';
  }

  get wantsYolo(): boolean {
    return ofUser(Settings.approvalMode) === 'yolo';
  }

  /** Also accepts `"gantry.sandbox": "off"`. VS Code then ignores the settings under `gantry.sandbox`. */
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

  /** A folder defines its own names in `.gemini/settings.json`, which applies once the folder is trusted. */
  contextFileNames(): readonly string[] {
    const names = ofUser(Settings.contextFileNames);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }

  sendsEnvironment(): boolean {
    return ofUser(Settings.contextEnvironment) !== false;
  }

  /** An invalid value is replaced by the default. */
  compressionThreshold(): number {
    const share = ofUser(Settings.compressionThreshold);
    return typeof share === 'number' && share > 0 && share <= 1 ? share : HALF;
  }

  /** Read from user settings only: a repository must not choose which of the user's secrets are sent. */
  redactsSecrets(): boolean {
    return ofUser(Settings.redactSecrets) !== false;
  }

  /** Read from user settings only: a folder has its own files for servers, and they require approval. */
  mcpServers(): unknown {
    return ofUser(Settings.mcpServers);
  }

  mcpFiles(): readonly string[] {
    const file = this.storage && userMcpFile(this.storage);
    return file === undefined ? [] : [file];
  }

  /** Read from user settings only: a repository must not choose where anything is sent. */
  telemetry(): TelemetrySettings {
    return {
      endpoint: textOf(Settings.telemetryEndpoint),
      headers: headersOf(Settings.telemetryHeaders),
      source: `${SECTION}.${Settings.telemetryEndpoint}`,
      headersSource: `${SECTION}.${Settings.telemetryHeaders}`,
      isBlocked: !vscode.env.isTelemetryEnabled,
    };
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

/** The number of seconds after which a run counts as long. 0 turns this off. */
export function longRunSeconds(): number {
  return count(ofUser(Settings.longRun));
}

/** The key that sends a message. */
export function sendKey(): SendKey {
  const key = ofUser(Settings.sendKey);
  return key === 'ctrlEnter' || key === 'shiftEnter' ? key : 'enter';
}

export function thinkingWay(): ThinkingWay {
  const way = ofUser(Settings.thinking);
  return THINKING_WAYS.find((known) => known === way) ?? 'collapsed';
}

/** Whether the command `gantry` is available in terminals. */
export function addsToPath(): boolean {
  return ofUser(Settings.addToPath) !== false;
}

/** Whether open editors are sent with messages. A folder can turn this off, but not on again. */
export function includesEditor(): boolean {
  return everywhere(Settings.contextEditor).every((value) => value !== false);
}

/** The strictest of several limits: a repository may lower the user's spending limit, but not raise it. */
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

/** Whether the diff of a proposed edit opens automatically. */
export function opensDiffs(): boolean {
  return effective(Settings.openDiff) !== 'onRequest';
}

export async function saveSetting<Key extends Setting>(key: Key, value: SettingTypes[Key]): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
  if (key.startsWith('sandbox.')) await replaceShortSandbox();
}

/** Replaces `"gantry.sandbox": "auto"` with `gantry.sandbox.mode`: VS Code ignores `gantry.sandbox.…` next to it. */
async function replaceShortSandbox(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const short = configuration.inspect('sandbox')?.globalValue;
  if (typeof short !== 'string') return;
  await configuration.update(Settings.sandboxMode, short, vscode.ConfigurationTarget.Global);
  await configuration.update('sandbox', undefined, vscode.ConfigurationTarget.Global);
}

/** Adds an entry to a list in the user's settings. */
export async function addToSetting(key: 'sandbox.folders' | 'sandbox.network', text: string): Promise<void> {
  const listed = texts(ofUser(key));
  if (!listed.includes(text)) await saveSetting(key, [...listed, text]);
}

/** Whether the user has not set a value. */
function isUnset(key: Setting): boolean {
  return vscode.workspace.getConfiguration(SECTION).inspect(key)?.globalValue === undefined;
}

function effective(key: Setting): unknown {
  return vscode.workspace.getConfiguration(SECTION).get(key);
}

/** The values of the user, the workspace and the folder, separately. */
function everywhere(key: Setting): unknown[] {
  const values = vscode.workspace.getConfiguration(SECTION).inspect(key);
  return [values?.globalValue ?? values?.defaultValue, values?.workspaceValue, values?.workspaceFolderValue];
}

function textOf(key: Setting): string {
  const text = ofUser(key);
  return typeof text === 'string' ? text.trim() : '';
}

function headersOf(key: Setting): Readonly<Record<string, string>> {
  const headers = ofUser(key);
  return Object.fromEntries(Object.entries(isObject(headers) ? headers : {}).filter(isText));
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

/** The user's value, never a folder's: a repository must not choose where its contents are sent. */
function ofUser(key: Setting | 'sandbox'): unknown {
  const values = vscode.workspace.getConfiguration(SECTION).inspect(key);
  return values?.globalValue ?? values?.defaultValue;
}
