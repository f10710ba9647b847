import { isObject } from '../base/objects.ts';
import type { ProblemPlace } from '../text/json-with-comments.ts';
import { type WrittenSetting, withoutFlatKeys, writtenSettings } from './flat-keys.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The layers of settings. Each overrides those before it, as in Gemini CLI. */
export const LAYERS = ['defaults', 'user', 'project', 'system'] as const;
export type LayerName = (typeof LAYERS)[number];

/** One settings file of Gemini CLI. */
export interface SettingsLayer {
  readonly layer: LayerName;
  /** An absolute path. */
  readonly file: string;
  readonly fields: Fields;
}

export interface SettingsFault extends ProblemPlace {
  readonly layer: LayerName;
  readonly file: string;
  /** A reason for people, without a full stop. */
  readonly why: string;
}

/** A value and the file that contains it. */
export interface GeminiSetting {
  readonly value: unknown;
  readonly file: string;
  /** Such as `tools.exclude`. */
  readonly key: string;
}

/** All settings files of Gemini CLI at one moment. */
export class GeminiSettings {
  private readonly layers: readonly SettingsLayer[];

  constructor(
    private readonly files: readonly SettingsLayer[],
    /** Files that exist but are invalid. */
    readonly faults: readonly SettingsFault[] = [],
    /** Whether the open folder is trusted. Permissions from an untrusted folder are ignored. */
    readonly isTrusted = false,
  ) {
    const written = files.map((layer) => ({ ...layer, fields: withoutFlatKeys(layer.fields) }));
    this.layers = LAYERS.flatMap((name) => written.filter(({ layer }) => layer === name));
  }

  /** The value of the user and the system, by Gemini CLI's precedence, without folders. */
  own(key: string): GeminiSetting | undefined {
    return this.all(key, ({ layer }) => layer !== 'project').at(-1);
  }

  /** The value by Gemini CLI's precedence, which ignores untrusted folders. */
  inForce(key: string): GeminiSetting | undefined {
    return this.all(key, ({ layer }) => layer !== 'project' || this.isTrusted).at(-1);
  }

  /** The values from folders. They can only restrict, so they apply whether the folder is trusted or not. */
  ofFolders(key: string): readonly GeminiSetting[] {
    return this.all(key, ({ layer }) => layer === 'project');
  }

  /** The values from all layers, the strongest last. */
  all(key: string, counts: (layer: SettingsLayer) => boolean = () => true): readonly GeminiSetting[] {
    return this.layers.filter(counts).flatMap(({ fields, file }) => {
      const value = valueAt(fields, key);
      return value === undefined || value === null ? [] : [{ value, file, key }];
    });
  }

  /** All values of all files, as they are written. */
  written(): readonly (WrittenSetting & Pick<SettingsLayer, 'layer' | 'file'>)[] {
    return this.files.flatMap(({ layer, file, fields }) =>
      writtenSettings(fields).map((setting) => ({ ...setting, layer, file })),
    );
  }
}

function valueAt(fields: Fields, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      fields,
    );
}

/** Reads a list of names. A single name is treated as a list. */
export function namesIn({ value }: GeminiSetting): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string').map((each) => each.trim());
}

/** Accepts `"true"` too, because variables in settings expand to text. */
export function isOn({ value }: GeminiSetting): boolean {
  return value === true || value === 'true';
}

export function isOff({ value }: GeminiSetting): boolean {
  return value === false || value === 'false';
}
