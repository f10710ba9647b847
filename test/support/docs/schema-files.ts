import { join } from 'node:path';
import { isObject } from '../../../extension/base/objects.ts';
import { configSchemas } from '../../../extension/language-server/json/config-schemas.ts';
import { repoRoot } from '../repo.ts';

/** A JSON schema that ships with the extension. */
export interface SchemaFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** After the files that they are for. */
const NAMES: Readonly<Record<string, string>> = { servers: 'mcp', extension: 'gemini-extension' };

/** The JSON schemas as the readers have them now. */
export function schemaFiles(): readonly SchemaFile[] {
  return Object.entries(configSchemas()).map(([kind, schema]) => ({
    path: join(repoRoot, 'media', 'schemas', `${NAMES[kind] ?? kind}.schema.json`),
    text: `${JSON.stringify(new SharedParts(schema).schema(), undefined, 2)}\n`,
  }));
}

/** Shorter parts are easier to read where they are used. */
const LONG = 400;

/** Writes each long part once, so that a change of a reader is a small difference. */
class SharedParts {
  private readonly counts = new Map<string, number>();
  private readonly definitions = new Map<string, readonly [name: string, part: unknown]>();

  constructor(private readonly whole: object) {
    this.count(whole);
  }

  schema(): unknown {
    const entries = Object.entries(this.whole).map(([name, part]) => [name, this.written(part, [name])]);
    const { definitions } = this;
    return {
      ...Object.fromEntries(entries),
      ...(definitions.size > 0 && { definitions: Object.fromEntries(definitions.values()) }),
    };
  }

  private count(part: unknown): void {
    const text = keyOf(part);
    if (text === undefined) return;
    const before = this.counts.get(text) ?? 0;
    this.counts.set(text, before + 1);
    // What is in a part that occurs again is written with it.
    if (before === 0) for (const inner of Object.values(part ?? {})) this.count(inner);
  }

  private written(part: unknown, path: readonly string[]): unknown {
    const text = keyOf(part);
    if (text === undefined) return part;
    if ((this.counts.get(text) ?? 0) < 2 || path.length < 2) return this.innerOf(part, path);
    const name = this.definitions.get(text)?.[0] ?? path.filter((step) => step !== 'properties').join('.');
    if (!this.definitions.has(text)) {
      this.definitions.set(text, [name, part]);
      this.definitions.set(text, [name, this.innerOf(part, path)]);
    }
    return { $ref: `#/definitions/${name}` };
  }

  private innerOf(part: unknown, path: readonly string[]): unknown {
    if (Array.isArray(part)) return part.map((inner, at) => this.written(inner, [...path, `${at}`]));
    const entries = Object.entries(part ?? {}).map(([name, inner]) => [name, this.written(inner, [...path, name])]);
    return Object.fromEntries(entries);
  }
}

function keyOf(part: unknown): string | undefined {
  if (!isObject(part) && !Array.isArray(part)) return undefined;
  const text = JSON.stringify(part);
  return text.length < LONG ? undefined : text;
}
