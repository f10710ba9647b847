import type { GenerateContentConfig } from '@google/genai';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../base/objects.ts';
import type { JsonPath } from '../text/json-tree.ts';
import { type JsonPlaces, type ProblemKind, type ProblemPlace, readJson } from '../text/json-with-comments.ts';
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
) => {
  readonly values: GenerateContentConfig;
  readonly problems: readonly (ProblemKind & { readonly text: string; readonly path: JsonPath })[];
};

/** What can be set for an agent. The reader takes each field by itself, so that a mistake doesn't affect the others. */
export const agentOverride = z.looseObject({
  enabled: z.boolean().optional(),
  modelConfig: z.looseObject({ model: z.string().min(1).optional() }).optional(),
  runConfig: z
    .looseObject({ maxTurns: z.int().positive().optional(), maxTimeMinutes: z.number().positive().optional() })
    .optional(),
  tools: z.array(z.string()).optional(),
  mcpServers: z.unknown().optional(),
});
const { model: modelField } = agentOverride.shape.modelConfig.unwrap().shape;
const { maxTurns: turnsField, maxTimeMinutes: minutesField } = agentOverride.shape.runConfig.unwrap().shape;

/** Reads the overrides. Malformed entries are reported and ignored. */
export function readOverrides(
  text: string,
  file: string,
  readGeneration: ReadGeneration,
  json = readJson(text),
): ReadOverrides {
  // Invalid JSON is already reported when hooks are read from the file.
  if (!('value' in json) || !isObject(json.value) || !isObject(json.value['agents'])) return NO_OVERRIDES;
  const { overrides } = json.value['agents'];
  if (overrides === undefined) return NO_OVERRIDES;
  const reader = new Reader(file, json.places, readGeneration);
  const path = ['agents', 'overrides'];
  const read = reader.fields(overrides, path);
  return {
    overrides: new Map(Object.entries(read).map(([name, value]) => [name, reader.override(value, [...path, name])])),
    problems: reader.problems,
  };
}

type Fields = Readonly<Record<string, unknown>>;

class Reader {
  readonly problems: AgentProblem[] = [];

  constructor(
    private readonly file: string,
    private readonly places: JsonPlaces,
    private readonly readGeneration: ReadGeneration,
  ) {}

  override(value: unknown, path: JsonPath): AgentOverride {
    const fields = this.fields(value, path);
    for (const key of Object.keys(fields).filter((field) => !Object.hasOwn(agentOverride.shape, field))) {
      const here = [...path, key];
      this.ignore(here, l10n.t('is unknown'), this.places.problemAt(here, { of: 'key' }));
    }
    if (fields['mcpServers'] !== undefined) {
      this.ignore([...path, 'mcpServers'], l10n.t("an agent's servers are read only from its definition"));
    }
    return {
      ...this.enabled(fields, path),
      ...this.modelConfig(fields, path),
      ...this.runConfig(fields, path),
      ...this.tools(fields, path),
    };
  }

  fields(value: unknown, path: JsonPath): Fields {
    if (isObject(value)) return value;
    this.ignore(path, l10n.t('is not an object'), this.wrongType(path));
    return {};
  }

  /** Any value other than true counts as false. */
  private enabled({ enabled }: Fields, path: JsonPath): Pick<AgentOverride, 'enabled'> {
    if (enabled === undefined) return {};
    const here = [...path, 'enabled'];
    if (typeof enabled !== 'boolean')
      this.say(here, l10n.t('The value must be true or false. The agent is off.'), this.wrongType(here));
    return { enabled: enabled === true };
  }

  private modelConfig(fields: Fields, path: JsonPath): Pick<AgentOverride, 'model' | 'generation'> {
    if (fields['modelConfig'] === undefined) return {};
    const here = [...path, 'modelConfig'];
    const config = this.fields(fields['modelConfig'], here);
    const model = this.field(config, 'model', modelField, here);
    const given = config['generateContentConfig'];
    if (given === undefined) return { ...(model !== undefined && { model }) };
    const below = [...here, 'generateContentConfig'];
    const { values, problems } = this.readGeneration(given, below.join('.'));
    for (const problem of problems) {
      const place = this.places.problemAt([...below, ...problem.path], problem);
      this.problems.push({ file: this.file, ...place, text: problem.text, ofSettings: true });
    }
    return { ...(model !== undefined && { model }), generation: values };
  }

  private runConfig(fields: Fields, path: JsonPath): Pick<AgentOverride, 'maxTurns' | 'timeoutMins'> {
    if (fields['runConfig'] === undefined) return {};
    const here = [...path, 'runConfig'];
    const config = this.fields(fields['runConfig'], here);
    const maxTurns = this.field(config, 'maxTurns', turnsField, here);
    const timeoutMins = this.field(config, 'maxTimeMinutes', minutesField, here);
    return { ...(maxTurns !== undefined && { maxTurns }), ...(timeoutMins !== undefined && { timeoutMins }) };
  }

  /** An invalid list counts as empty, because it was meant to restrict the tools. */
  private tools({ tools }: Fields, path: JsonPath): Pick<AgentOverride, 'tools'> {
    if (tools === undefined) return {};
    const here = [...path, 'tools'];
    if (!Array.isArray(tools)) {
      this.say(here, l10n.t('The value must be a list. The agent has no tools.'), this.wrongType(here));
      return { tools: [] };
    }
    const isKnown = (tool: unknown): tool is string => typeof tool === 'string' && isToolName(tool);
    for (const [at, tool] of tools.entries()) {
      if (isKnown(tool)) continue;
      const place = this.places.problemAt([...here, at], { foundBySchema: typeof tool !== 'string' });
      this.ignore([...here, at], l10n.t('there is no such tool'), place);
    }
    return { tools: tools.filter(isKnown) };
  }

  private field<T>(fields: Fields, name: string, schema: z.ZodType<T>, path: JsonPath): T | undefined {
    if (fields[name] === undefined) return undefined;
    const { data, error } = schema.safeParse(fields[name]);
    const here = [...path, name];
    if (error) {
      const why = error.issues.map(({ message }) => message).join('; ');
      this.ignore(here, why, this.places.issueAt(here, error));
    }
    return data;
  }

  private wrongType(path: JsonPath): ProblemPlace {
    return this.places.problemAt(path, { foundBySchema: true });
  }

  private ignore(path: JsonPath, why: string, place?: ProblemPlace): void {
    this.say(path, l10n.t('{0} was ignored: {1}', path.join('.'), why), place);
  }

  private say(path: JsonPath, text: string, place: ProblemPlace = this.places.problemAt(path)): void {
    this.problems.push({ file: this.file, ...place, key: path.join('.'), text, ofSettings: true });
  }
}
