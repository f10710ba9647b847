import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ApprovalMode } from '../../extension/protocol/approval-mode.ts';
import type { Host, Limit, Price, SettingsPort } from '../../extension/runtime/host.ts';
import { NO_LIMIT } from '../../extension/runtime/limits.ts';

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
  /** Where sessions are kept; without it they are not. */
  readonly sessions?: string;
  /** Whether somebody answers questions; true unless told otherwise. */
  readonly interactive?: boolean;
  readonly approvalMode?: ApprovalMode;
  readonly policyPaths?: readonly string[];
  readonly redactsSecrets?: boolean;
}

export interface TestHost extends Host {
  /** What was logged as warning or error. */
  readonly complaints: string[];
  trusted: boolean;
}

/** Whoever runs the tests may have hooks of their own. */
const NOWHERE = resolve(tmpdir(), 'gantry-nowhere');
const NO_SETTINGS_OF_GEMINI = {
  GEMINI_CLI_HOME: NOWHERE,
  GEMINI_CLI_SYSTEM_SETTINGS_PATH: resolve(NOWHERE, 'settings.json'),
};

/** Ports for tests: real clock, no secrets, everything else as given. */
export function testHost(options: TestHostOptions = {}): TestHost {
  const { roots = [], environment = {}, baseUrl = '', modelName = 'auto', maxTurns = -1 } = options;
  const complaints: string[] = [];
  const settings: SettingsPort = {
    authMethod: () => 'auto',
    modelName: () => modelName,
    baseUrl: () => baseUrl,
    limits: () => ({
      prompt: { ...NO_LIMIT, turns: maxTurns, ...options.promptLimit },
      session: { ...NO_LIMIT, ...options.sessionLimit },
    }),
    prices: () => options.prices ?? {},
    approvalMode: () => options.approvalMode ?? 'default',
    policyPaths: () => options.policyPaths ?? [],
    redactsSecrets: () => options.redactsSecrets ?? true,
    retention: () => ({ days: 0, count: 0 }),
  };
  const host: TestHost = {
    complaints,
    trusted: options.trusted ?? true,
    workspace: { roots: () => roots, isTrusted: () => host.trusted },
    files: { unsavedText: () => undefined, openDocument: () => undefined },
    settings,
    secrets: { apiKey: () => Promise.resolve(undefined) },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => complaints.push(message),
      error: (message, cause) => complaints.push(cause === undefined ? message : `${message}: ${String(cause)}`),
    },
    sessions: { folder: options.sessions, owner: 'a test', interactive: options.interactive ?? true },
    clock: { now: () => Date.now() },
    assets: resolve('out/assets'),
    environment: { ...NO_SETTINGS_OF_GEMINI, ...environment },
  };
  return host;
}
