import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Clock } from '../../extension/ports/clock.ts';
import type { Host, LoginStore, McpLoginStore, RecordedAnswers } from '../../extension/ports/host.ts';
import type {
  AuthMethod,
  AuthSettings,
  Limit,
  Price,
  SandboxSettings,
  SettingsPort,
  TelemetrySettings,
} from '../../extension/ports/settings.ts';
import type { ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';
import { NO_LIMIT } from '../../extension/runtime/model/limits.ts';

export interface TestHostOptions {
  readonly roots?: readonly string[];
  readonly trusted?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
  readonly modelName?: string;
  readonly maxTurns?: number;
  readonly promptLimit?: Partial<Limit>;
  readonly sessionLimit?: Partial<Limit>;
  readonly prices?: Readonly<Record<string, Price>>;
  readonly modelConfigs?: unknown;
  readonly generation?: unknown;
  /** The folder of the sessions. Without it, sessions are not stored. */
  readonly sessions?: string;
  /** Whether a user answers questions. True by default. */
  readonly interactive?: boolean;
  readonly approvalMode?: ApprovalMode;
  readonly answerMinutes?: number;
  readonly policyPaths?: readonly string[];
  /** False by default: most tests compare what is said, and a description of the machine would start programs. */
  readonly sendsEnvironment?: boolean;
  readonly compressionThreshold?: number;
  readonly authMethod?: AuthMethod;
  readonly auth?: Partial<AuthSettings>;
  readonly secretKey?: string;
  readonly login?: LoginStore;
  /** Without it, nobody can sign in to servers and agents. */
  readonly mcpLogins?: McpLoginStore;
  readonly recorded?: RecordedAnswers;
  readonly now?: () => number;
  /** The maximum number of attempts of a request. 10 by default. */
  readonly maxAttempts?: number;
  /** Called for every wait between attempts. The waits take no time. */
  readonly onPause?: (ms: number) => void;
  /** Replaces real alarms. */
  readonly alarm?: Clock['alarm'];
  /** True by default. */
  readonly loopDetection?: boolean;
  readonly redactsSecrets?: boolean;
  /** The user's MCP servers, by name. */
  readonly mcpServers?: unknown;
  readonly contextFileNames?: readonly string[];
  /** Without it, commands are not confined. */
  readonly sandbox?: SandboxSettings;
  readonly telemetry?: Partial<TelemetrySettings>;
}

export interface TestHost extends Host {
  /** The logged information. */
  readonly notes: string[];
  /** The logged warnings and errors. */
  readonly complaints: string[];
  trusted: boolean;
}

/** Developers may have their own hooks. */
const NOWHERE = resolve(tmpdir(), 'gantry-nowhere');
const NO_SETTINGS_OF_GEMINI = {
  GEMINI_CLI_HOME: NOWHERE,
  GEMINI_CLI_SYSTEM_SETTINGS_PATH: resolve(NOWHERE, 'settings.json'),
};

export const NO_AUTH: AuthSettings = {
  project: '',
  location: '',
  headers: {},
  clientId: '',
  clientSecret: '',
  authorizationUrl: '',
  tokenUrl: '',
};

/** Ports for tests: real time of day, waits that take no time, no secrets, and everything else as given. */
export function testHost(options: TestHostOptions = {}): TestHost {
  const { roots = [], environment = {}, baseUrl = '', modelName = 'auto', maxTurns = -1, sandbox } = options;
  const complaints: string[] = [];
  const notes: string[] = [];
  const settings: SettingsPort = {
    authMethod: () => options.authMethod ?? 'auto',
    auth: () => ({ ...NO_AUTH, ...options.auth }),
    modelName: () => modelName,
    baseUrl: () => baseUrl,
    maxAttempts: () => options.maxAttempts ?? 10,
    limits: () => ({
      prompt: { ...NO_LIMIT, turns: maxTurns, ...options.promptLimit },
      session: { ...NO_LIMIT, ...options.sessionLimit },
    }),
    prices: () => options.prices ?? {},
    modelConfigs: () => options.modelConfigs,
    generation: () => options.generation,
    approvalMode: () => options.approvalMode ?? 'default',
    answerMinutes: () => options.answerMinutes ?? 0,
    loopDetection: () => options.loopDetection ?? true,
    policyPaths: () => options.policyPaths ?? [],
    redactsSecrets: () => options.redactsSecrets ?? true,
    mcpServers: () => options.mcpServers,
    retention: () => ({ days: 0, count: 0 }),
    contextFileNames: () => options.contextFileNames ?? [],
    ...(sandbox && { sandbox: () => sandbox }),
    telemetry: () => ({
      endpoint: '',
      headers: {},
      source: 'the endpoint',
      headersSource: 'headers',
      ...options.telemetry,
    }),
    sendsEnvironment: () => options.sendsEnvironment ?? false,
    compressionThreshold: () => options.compressionThreshold ?? 0.5,
  };
  const host: TestHost = {
    complaints,
    notes,
    trusted: options.trusted ?? true,
    workspace: { roots: () => roots, isTrusted: () => host.trusted },
    files: { unsavedText: () => undefined, openDocument: () => undefined },
    settings,
    secrets: {
      apiKey: () => Promise.resolve(options.secretKey),
      ...(options.login && { login: options.login }),
      ...(options.mcpLogins && { mcpLogins: options.mcpLogins }),
    },
    log: {
      debug: () => undefined,
      info: (message) => notes.push(message),
      warn: (message) => complaints.push(message),
      error: (message, cause) => complaints.push(cause === undefined ? message : `${message}: ${String(cause)}`),
    },
    sessions: { folder: options.sessions, owner: 'a test', interactive: options.interactive ?? true },
    clock: {
      now: options.now ?? (() => Date.now()),
      pause: (ms) => {
        options.onPause?.(ms);
        return Promise.resolve();
      },
      random: () => 0.5,
      ...(options.alarm && { alarm: options.alarm }),
    },
    assets: resolve('out/assets'),
    environment: { ...NO_SETTINGS_OF_GEMINI, ...environment },
    ...(options.recorded && { recorded: options.recorded }),
  };
  return host;
}
