import type { GenerateContentConfig } from '@google/genai';
import { isObject } from '../../base/objects.ts';

/** The part of a configuration that one alias or override sets. */
export interface ConfigPart {
  readonly model?: string;
  readonly generateContentConfig?: GenerateContentConfig;
}

/** A name for a model and its configuration. Missing fields come from the alias that it extends. */
export interface ModelAlias {
  readonly extends?: string;
  readonly modelConfig: ConfigPart;
}

export interface ModelOverride {
  /** All given conditions must match; without conditions, nothing matches. */
  readonly match: {
    /** A model id, or any alias in the chain. */
    readonly model?: string;
    /** The name of a subagent. `core` also matches requests without a scope. */
    readonly overrideScope?: string;
    readonly isRetry?: boolean;
  };
  readonly modelConfig: ConfigPart;
}

export type Aliases = ReadonlyMap<string, ModelAlias>;

/** Merges objects and replaces all other values. Neither part is modified. */
export function mergeParts(base: ConfigPart, above: ConfigPart): ConfigPart {
  const model = above.model ?? base.model;
  const config = mergeConfigs(base.generateContentConfig, above.generateContentConfig);
  return { ...(model !== undefined && { model }), generateContentConfig: config };
}

export function mergeConfigs(
  base: GenerateContentConfig = {},
  above: GenerateContentConfig = {},
): GenerateContentConfig {
  return merged({ ...base }, { ...above });
}

type Fields = Readonly<Record<string, unknown>>;

function merged(base: Fields, above: Fields): Fields {
  const fields = Object.entries(above).map(([name, value]): [string, unknown] => {
    const before = Object.hasOwn(base, name) ? base[name] : undefined;
    return [name, isObject(value) && isObject(before) ? merged(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(fields) };
}
