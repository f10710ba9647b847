import { isObject } from '../base/objects.ts';
import type { HookOutput } from './hook-types.ts';

/** The combined result of all hooks of an event. */
export interface Combined {
  /** Whether the run ends. This takes precedence over everything else. */
  readonly stop: boolean;
  /** A deny takes precedence over ask and allow, in any order. */
  readonly decision: 'deny' | 'ask' | undefined;
  readonly stopReason: string | undefined;
  readonly reason: string | undefined;
  readonly systemMessage: string | undefined;
  readonly additionalContext: string | undefined;
  readonly clearContext: boolean;
  /** The fields of the event. Those of later hooks replace earlier ones. */
  readonly specific: Readonly<Record<string, unknown>>;
  readonly toolConfig: ToolConfig;
}

export function combine(outputs: readonly HookOutput[]): Combined {
  const specifics = outputs.map(({ hookSpecificOutput = {} }) => hookSpecificOutput);
  return {
    stop: outputs.some((output) => output.continue === false),
    decision: decisionOf(outputs),
    stopReason: joined(outputs.filter((output) => output.continue === false).map(({ stopReason }) => stopReason)),
    reason: joined(outputs.map(({ reason }) => reason)),
    systemMessage: joined(outputs.map(({ systemMessage }) => systemMessage)),
    additionalContext: joined(specifics.map(({ additionalContext }) => additionalContext)),
    clearContext: specifics.some(({ clearContext }) => clearContext === true),
    specific: Object.fromEntries(specifics.flatMap((fields) => Object.entries(fields))),
    toolConfig: combinedToolConfig(specifics),
  };
}

function decisionOf(outputs: readonly HookOutput[]): Combined['decision'] {
  const decisions = new Set(outputs.map(({ decision }) => decision));
  if (decisions.has('deny') || decisions.has('block')) return 'deny';
  return decisions.has('ask') ? 'ask' : undefined;
}

function joined(texts: readonly unknown[]): string | undefined {
  const given = texts.filter((text) => typeof text === 'string' && text !== '');
  return given.length === 0 ? undefined : given.join('\n');
}

export interface ToolConfig {
  readonly mode: ToolMode;
  /** Sorted; empty if all functions are allowed. */
  readonly allowedFunctionNames: readonly string[];
}

/** In increasing order of precedence. */
const MODES = ['AUTO', 'ANY', 'NONE'] as const;
export type ToolMode = (typeof MODES)[number];

function combinedToolConfig(specifics: readonly Readonly<Record<string, unknown>>[]): ToolConfig {
  const configs = specifics.map(({ toolConfig }) => (isObject(toolConfig) ? toolConfig : {}));
  const mode = MODES.findLast((candidate) => configs.some((config) => config['mode'] === candidate)) ?? 'AUTO';
  const names = configs.flatMap(({ allowedFunctionNames }) =>
    Array.isArray(allowedFunctionNames) ? allowedFunctionNames.filter((name) => typeof name === 'string') : [],
  );
  return { mode, allowedFunctionNames: mode === 'NONE' ? [] : [...new Set(names)].sort() };
}
