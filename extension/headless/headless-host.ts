import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { canonicalFolder } from '../files/real-path.ts';
import type { GeminiSetting, GeminiSettings } from '../gemini-config/gemini-settings.ts';
import { sessionsFolder } from '../gemini-config/home-folders.ts';
import { choiceOf } from '../model/catalog/model-names.ts';
import type { Clock } from '../ports/clock.ts';
import type { Host, RecordedAnswers, SecretPort } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import type { Limit, SandboxMode, SettingsPort } from '../ports/settings.ts';
import type { FilePort, WorkspacePort } from '../ports/workspace.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import { invalidArgument } from './problem-of.ts';

export interface HeadlessHostOptions {
  /** An absolute path. */
  readonly workspace: string;
  /** The absolute paths of more folders that are open. */
  readonly furtherFolders?: readonly string[];
  /** The program that shows the sessions to a user. Absent if nobody can be asked. */
  readonly shownIn?: string;
  readonly trusted?: boolean;
  readonly model?: string | undefined;
  /** Whether another model may answer instead. */
  readonly fallback?: boolean;
  readonly maxTurns?: number | undefined;
  readonly approvalMode?: ApprovalMode | undefined;
  readonly sandbox?: SandboxMode | undefined;
  readonly sandboxNetwork?: readonly string[];
  /** Absolute paths. */
  readonly policies?: readonly string[];
  /** The receiver of telemetry; undefined for none. */
  readonly otlp?: string | undefined;
  readonly recorded?: RecordedAnswers;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Apply where no flag is given; undefined until they are read. */
  readonly geminiSettings?: () => GeminiSettings | undefined;
  /** The folder of assets that ship next to the bundles. */
  readonly assets: string;
  readonly writeLog: (line: string) => void;
  /** Whether nothing else runs in this process. */
  readonly ownsProcess?: boolean | undefined;
}

/** The model name for the offline guide, which answers only on request. */
const GUIDE = 'guide';

/** The ports of a process without an editor: there are no open documents, and usually no user to ask. */
export function createHeadlessHost(options: HeadlessHostOptions): Host {
  const { environment } = options;
  return {
    workspace: workspacePort(options),
    files: NO_OPEN_FILES,
    settings: settingsPort(options),
    secrets: NO_SECRETS,
    log: environment['GANTRY_LOG'] === 'debug' ? lineLogger(options.writeLog) : SILENT,
    clock: SYSTEM_CLOCK,
    sessions: {
      folder: sessionsFolder(environment, homedir()),
      owner: options.shownIn ?? 'the command line',
      interactive: options.shownIn !== undefined,
    },
    assets: options.assets,
    environment,
    waitsForDisk: options.ownsProcess === true,
    connectsDirectly: !REROUTING.some((name) => environment[name] || environment[name.toLowerCase()]),
    ...(options.recorded && { recorded: options.recorded }),
  };
}

/** If one of these is set, Node's `fetch` may use a proxy, or whatever an option of Node replaced it by. */
const REROUTING = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY', 'NODE_OPTIONS'] as const;

function workspacePort({ workspace, furtherFolders = [], trusted = false }: HeadlessHostOptions): WorkspacePort {
  const roots = [workspace, ...furtherFolders];
  return { roots: () => roots, isTrusted: () => trusted };
}

/**
 * Flags take precedence over the environment, and that over Gemini CLI's settings. Other values are left to the
 * runtime.
 */
function settingsPort({
  model,
  fallback = false,
  maxTurns,
  approvalMode,
  sandbox = 'auto',
  sandboxNetwork = [],
  policies,
  otlp = '',
  environment,
  geminiSettings = () => undefined,
}: HeadlessHostOptions): SettingsPort {
  return {
    authMethod: () => (model === GUIDE ? 'offline' : 'auto'),
    modelName: () => (model === GUIDE ? 'auto' : (model ?? configuredModel(geminiSettings(), environment) ?? 'auto')),
    keepsModel: () => model !== undefined && !choiceOf(model) && !fallback && !isOn(environment['GANTRY_FALLBACK']),
    baseUrl: () => '',
    maxAttempts: () => attemptsIn(environment),
    limits: () => ({
      prompt: { ...NO_LIMIT, turns: maxTurns ?? configuredTurns(geminiSettings()) },
      session: NO_LIMIT,
    }),
    prices: () => ({}),
    // A folder must not configure the requests to models.
    modelConfigs: () => geminiSettings()?.own('modelConfigs')?.value,
    modelConfigsKey: 'modelConfigs',
    approvalMode: () => approvalMode ?? configuredMode(geminiSettings()),
    sandbox: () => ({ mode: sandbox, autoAllow: false, folders: [], network: sandboxNetwork }),
    answerMinutes: () => 0,
    loopDetection: () => true,
    policyPaths: () => policies ?? [],
    redactsSecrets: () => true,
    retention: () => ({ days: 0, count: 0 }),
    sendsEnvironment: () => true,
    compressionThreshold: () => 0.5,
    telemetry: () => ({
      endpoint: otlp,
      headers: headersIn(environment[OTLP_HEADERS]),
      source: '--otlp',
      headersSource: OTLP_HEADERS,
    }),
  };
}

/** The variable of OpenTelemetry for headers. Alone, without the flag, it has no effect. */
const OTLP_HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';

/** `name=value,name=value` with percent-encoded values: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
function headersIn(value = ''): Readonly<Record<string, string>> {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return [name.trim(), decoded(rest.join('=').trim())];
    }),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** A script may want to fail early if the model does not answer. */
function attemptsIn(environment: HeadlessHostOptions['environment']): number {
  const attempts = Number(environment['GANTRY_MAX_ATTEMPTS'] ?? MAX_ATTEMPTS);
  return Number.isInteger(attempts) && attempts >= 1 ? Math.min(attempts, MAX_ATTEMPTS) : MAX_ATTEMPTS;
}

const MAX_ATTEMPTS = 10;

const NO_LIMIT: Limit = { turns: -1, minutes: -1, tokens: -1, cost: -1 };

const NO_OPEN_FILES: FilePort = { unsavedText: () => undefined, openDocument: () => undefined };

/** Keys come from the environment, which the runtime reads itself. */
const NO_SECRETS: SecretPort = { apiKey: () => Promise.resolve(undefined) };

const SYSTEM_CLOCK: Clock = { now: () => Date.now() };

const SILENT: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function lineLogger(write: (line: string) => void): Logger {
  return {
    debug: (message) => write(`[debug] ${message}`),
    info: (message) => write(`[info] ${message}`),
    warn: (message) => write(`[warn] ${message}`),
    error: (message, cause) => write(`[error] ${message}${cause === undefined ? '' : `\n${describe(cause)}`}`),
  };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The model if no flag names one: that of the environment, otherwise that of the settings. */
function configuredModel(settings: GeminiSettings | undefined, environment: Environment): string | undefined {
  const named = settings?.inForce('model.name')?.value;
  return environment['GEMINI_MODEL']?.trim() || (typeof named === 'string' && named.trim()) || undefined;
}

/** The maximum number of turns if no flag sets it; -1 for no limit. A folder can only lower it. */
function configuredTurns(settings: GeminiSettings | undefined): number {
  const key = 'model.maxSessionTurns';
  const limits = [settings?.own(key), ...(settings?.ofFolders(key) ?? [])].map(turnsIn).filter((turns) => turns >= 0);
  return limits.length === 0 ? -1 : Math.min(...limits);
}

function turnsIn(setting: GeminiSetting | undefined): number {
  return typeof setting?.value === 'number' && Number.isInteger(setting.value) ? setting.value : -1;
}

/** The mode if no flag sets it. Folders can't set it, and yolo can't be set this way, as in Gemini CLI. */
function configuredMode(settings: GeminiSettings | undefined): ApprovalMode {
  switch (settings?.own('general.defaultApprovalMode')?.value) {
    case 'auto_edit':
      return 'autoEdit';
    case 'plan':
      return 'plan';
    default:
      return 'default';
  }
}

/** Rejects with a `ProblemError` if the path is not a folder. */
export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const detail = `${path} ${found ? 'is not a folder' : 'does not exist'}. Name a folder with --workspace DIR.`;
  throw invalidArgument('The workspace cannot be opened', detail);
}

/** Resolves symbolic links, like the current directory: a session belongs to a folder and not to one of its paths. */
export function workspacePath(cwd: string, flag: string | undefined): string {
  return canonicalFolder(resolve(cwd, flag ?? '.'));
}
