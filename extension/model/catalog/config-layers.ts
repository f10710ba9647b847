import type { GenerateContentConfig } from '@google/genai';
import { isObject } from '../../base/objects.ts';

/** Part of a configuration, as one alias or override has it. */
export interface ConfigPart {
  readonly model?: string;
  readonly generateContentConfig?: GenerateContentConfig;
}

/** A name for a model and what goes with it; what it does not say, the one it extends says. */
export interface ModelAlias {
  readonly extends?: string;
  readonly modelConfig: ConfigPart;
}

export interface ModelOverride {
  /** All that is named has to hold; nothing named matches nothing. */
  readonly match: {
    /** A model's id, or an alias anywhere in the chain. */
    readonly model?: string;
    /** A subagent's name; `core` also means requests of nobody in particular. */
    readonly overrideScope?: string;
    readonly isRetry?: boolean;
  };
  readonly modelConfig: ConfigPart;
}

export type Aliases = ReadonlyMap<string, ModelAlias>;

/** Objects are merged, everything else is replaced; neither part is changed. */
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
