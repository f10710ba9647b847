import { isObject } from '../base/objects.ts';
import { withoutFlatKeys } from './flat-keys.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Whose settings they are. Each wins over those before it, in Gemini CLI. */
export const LAYERS = ['defaults', 'user', 'project', 'system'] as const;
export type LayerName = (typeof LAYERS)[number];

/** One settings file of Gemini CLI. */
export interface SettingsLayer {
  readonly layer: LayerName;
  /** Absolute. */
  readonly file: string;
  readonly fields: Fields;
}

export interface SettingsFault {
  readonly layer: LayerName;
  readonly file: string;
  readonly line: number;
  /** For people, without a full stop. */
  readonly why: string;
}

/** A value and the file that has it. */
export interface GeminiSetting {
  readonly value: unknown;
  readonly file: string;
  /** Such as `tools.exclude`. */
  readonly key: string;
}

/** What all settings files of Gemini CLI say at one moment. */
export class GeminiSettings {
  private readonly layers: readonly SettingsLayer[];

  constructor(
    layers: readonly SettingsLayer[],
    /** Files that are there and could not be understood. */
    readonly faults: readonly SettingsFault[] = [],
    /** Whether the open folder is trusted. What an untrusted one grants does not count. */
    readonly isTrusted = false,
  ) {
    const written = layers.map((layer) => ({ ...layer, fields: withoutFlatKeys(layer.fields) }));
    this.layers = LAYERS.flatMap((name) => written.filter(({ layer }) => layer === name));
  }

  /** What the user and the system say: by Gemini CLI's precedence, without the folders. */
  own(key: string): GeminiSetting | undefined {
    return this.all(key, ({ layer }) => layer !== 'project').at(-1);
  }

  /** By Gemini CLI's precedence, which ignores folders that are not trusted. */
  inForce(key: string): GeminiSetting | undefined {
    return this.all(key, ({ layer }) => layer !== 'project' || this.isTrusted).at(-1);
  }

  /** What folders say. They can take away and not grant, so these count whether they are trusted or not. */
  ofFolders(key: string): readonly GeminiSetting[] {
    return this.all(key, ({ layer }) => layer === 'project');
  }

  /** From everybody who says something about it, the strongest last. */
  all(key: string, counts: (layer: SettingsLayer) => boolean = () => true): readonly GeminiSetting[] {
    return this.layers.filter(counts).flatMap(({ fields, file }) => {
      const value = valueAt(fields, key);
      return value === undefined || value === null ? [] : [{ value, file, key }];
    });
  }

  /** Every key that a file has, with dots; of a list or an empty object its own. */
  keys(): readonly GeminiSetting[] {
    return this.layers.flatMap(({ fields, file }) => leaves(fields).map(([key, value]) => ({ key, value, file })));
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

function leaves(value: Fields, above: readonly string[] = []): [string, unknown][] {
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const path = [...above, name];
    const isBranch = isObject(each) && Object.keys(each).length > 0;
    return isBranch ? leaves(each, path) : [[path.join('.'), each]];
  });
}

/** What should be a list of names. One name alone is taken for a list of it. */
export function namesIn({ value }: GeminiSetting): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string').map((each) => each.trim());
}

/** `"true"` too: variables in settings become text. */
export function isOn({ value }: GeminiSetting): boolean {
  return value === true || value === 'true';
}

export function isOff({ value }: GeminiSetting): boolean {
  return value === false || value === 'false';
}
