import type { GenerateContentConfig } from '@google/genai';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../base/objects.ts';
import { readJson } from '../text/json-with-comments.ts';
import type { AgentProblem } from './agent-definition.ts';
import { isToolName } from './agent-tools.ts';

/** The settings for one agent in a settings file of Gemini CLI (`agents.overrides`). */
export interface AgentOverride {
  readonly enabled?: boolean;
  readonly model?: string;
  readonly generation?: GenerateContentConfig;
  readonly maxTurns?: number;
  readonly timeoutMins?: number;
  readonly tools?: readonly string[];
}

export interface ReadOverrides {
  /** By the agent's name. */
  readonly overrides: ReadonlyMap<string, AgentOverride>;
  readonly problems: readonly AgentProblem[];
}

export const NO_OVERRIDES: ReadOverrides = { overrides: new Map(), problems: [] };

/** Reads the generation config that users may set. `place` is used in the problems. */
export type ReadGeneration = (
  value: unknown,
  place: string,
) => { readonly values: GenerateContentConfig; readonly problems: readonly string[] };

/** Reads the overrides. Malformed entries are reported and ignored. */
export function readOverrides(text: string, file: string, readGeneration: ReadGeneration): ReadOverrides {
  const json = readJson(text);
  // Invalid JSON is already reported when hooks are read from the file.
  if (!('value' in json) || !isObject(json.value) || !isObject(json.value['agents'])) return NO_OVERRIDES;
  const { overrides } = json.value['agents'];
  if (overrides === undefined) return NO_OVERRIDES;
  const reader = new Reader(file, json.lineOf, readGeneration);
  const read = reader.fields(overrides, 'agents.overrides', json.value['agents']);
  return {
    overrides: new Map(Object.entries(read).map(([name, value]) => [name, reader.override(name, value, read)])),
    problems: reader.problems,
  };
}

type Fields = Readonly<Record<string, unknown>>;

const KNOWN = ['enabled', 'modelConfig', 'runConfig', 'tools', 'mcpServers'];

class Reader {
  readonly problems: AgentProblem[] = [];

  constructor(
    private readonly file: string,
    private readonly lineOf: (container: unknown) => number,
    private readonly readGeneration: ReadGeneration,
  ) {}

  override(name: string, value: unknown, around: Fields): AgentOverride {
    const place = `agents.overrides.${name}`;
    const fields = this.fields(value, place, around);
    for (const key of Object.keys(fields).filter((field) => !KNOWN.includes(field))) {
      this.ignore(`${place}.${key}`, l10n.t('is unknown'), fields);
    }
    if (fields['mcpServers'] !== undefined) {
      this.ignore(`${place}.mcpServers`, l10n.t("an agent's servers are read only from its definition"), fields);
    }
    return {
      ...this.enabled(fields, place),
      ...this.modelConfig(fields, place),
      ...this.runConfig(fields, place),
      ...this.tools(fields, place),
    };
  }

  fields(value: unknown, place: string, around: unknown): Fields {
    if (isObject(value)) return value;
    this.ignore(place, l10n.t('is not an object'), around);
    return {};
  }

  /** Any value other than true counts as false. */
  private enabled(fields: Fields, place: string): Pick<AgentOverride, 'enabled'> {
    const { enabled } = fields;
    if (enabled === undefined) return {};
    if (typeof enabled !== 'boolean')
      this.say(`${place}.enabled`, l10n.t('The value must be true or false. The agent is off.'), fields);
    return { enabled: enabled === true };
  }

  private modelConfig(fields: Fields, place: string): Pick<AgentOverride, 'model' | 'generation'> {
    if (fields['modelConfig'] === undefined) return {};
    const key = `${place}.modelConfig`;
    const config = this.fields(fields['modelConfig'], key, fields);
    const model = this.field(config, 'model', z.string().min(1), key);
    const given = config['generateContentConfig'];
    if (given === undefined) return { ...(model !== undefined && { model }) };
    const { values, problems } = this.readGeneration(given, `${key}.generateContentConfig`);
    for (const text of problems)
      this.problems.push({ file: this.file, line: this.lineOf(given), text, ofSettings: true });
    return { ...(model !== undefined && { model }), generation: values };
  }

  private runConfig(fields: Fields, place: string): Pick<AgentOverride, 'maxTurns' | 'timeoutMins'> {
    if (fields['runConfig'] === undefined) return {};
    const key = `${place}.runConfig`;
    const config = this.fields(fields['runConfig'], key, fields);
    const maxTurns = this.field(config, 'maxTurns', z.int().positive(), key);
    const timeoutMins = this.field(config, 'maxTimeMinutes', z.number().positive(), key);
    return { ...(maxTurns !== undefined && { maxTurns }), ...(timeoutMins !== undefined && { timeoutMins }) };
  }

  /** An invalid list counts as empty, because it was meant to restrict the tools. */
  private tools(fields: Fields, place: string): Pick<AgentOverride, 'tools'> {
    const { tools } = fields;
    if (tools === undefined) return {};
    const key = `${place}.tools`;
    if (!Array.isArray(tools)) {
      this.say(key, l10n.t('The value must be a list. The agent has no tools.'), fields);
      return { tools: [] };
    }
    const isKnown = (tool: unknown): tool is string => typeof tool === 'string' && isToolName(tool);
    for (const [at, tool] of tools.entries()) {
      if (!isKnown(tool)) this.ignore(`${key}.${at}`, l10n.t('there is no such tool'), tools);
    }
    return { tools: tools.filter(isKnown) };
  }

  private field<T>(fields: Fields, name: string, schema: z.ZodType<T>, place: string): T | undefined {
    if (fields[name] === undefined) return undefined;
    const { data, error } = schema.safeParse(fields[name]);
    if (error) this.ignore(`${place}.${name}`, error.issues.map(({ message }) => message).join('; '), fields);
    return data;
  }

  private ignore(key: string, why: string, around: unknown): void {
    this.say(key, l10n.t('{0} was ignored: {1}', key, why), around);
  }

  private say(key: string, text: string, around: unknown): void {
    this.problems.push({ file: this.file, line: this.lineOf(around), key, text, ofSettings: true });
  }
}
