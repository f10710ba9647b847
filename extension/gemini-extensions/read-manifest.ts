import { isAbsolute, normalize, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../base/objects.ts';
import { once } from '../base/once.ts';
import { expandForExtension } from '../ports/extension-folder.ts';
import { readJson } from '../text/json-with-comments.ts';
import { oneLine } from '../text/one-line.ts';
import type { ExtensionProblem, ExtensionSetting, GeminiExtension } from './gemini-extension.ts';

export interface ManifestPlace {
  /** The real absolute path. */
  readonly manifest: string;
  readonly folder: string;
  /** The open folder, if there is one. */
  readonly root: string | undefined;
}

export interface ReadManifest {
  /** Absent if the manifest is invalid. */
  readonly extension?: GeminiExtension;
  readonly problems: readonly ExtensionProblem[];
}

const DEFAULT_CONTEXT_FILE = 'GEMINI.md';
/** More than anybody has; each file is read before every step. */
const MAX_CONTEXT_FILES = 20;
const MAX_TEXT = 300;

/** Gemini CLI's rule: the name becomes part of paths, rules and questions to the user. */
const NAME = /^[a-zA-Z0-9-]{1,64}$/;
const settingSchema = once(() =>
  z.looseObject({
    name: z.string(),
    description: z.string().default(''),
    envVar: z.string().regex(/^[A-Za-z_]\w*$/),
    sensitive: z.boolean().default(false),
  }),
);

/** Reads a manifest. A name and a version are required; other invalid entries are reported and ignored. */
export function readManifest(text: string, place: ManifestPlace): ReadManifest {
  const json = readJson(text);
  if ('problem' in json) {
    return {
      problems: [
        { file: place.manifest, line: json.line, text: l10n.t('The file is not valid JSON: {0}.', json.problem) },
      ],
    };
  }
  const reader = new ManifestReader(text, place);
  const extension = reader.read(json.value);
  return { ...(extension && { extension }), problems: reader.problems };
}

class ManifestReader {
  readonly problems: ExtensionProblem[] = [];

  constructor(
    private readonly text: string,
    private readonly place: ManifestPlace,
  ) {}

  read(value: unknown): GeminiExtension | undefined {
    const fields = isObject(value) ? value : {};
    const named = z.string().regex(NAME).safeParse(fields['name']);
    if (!named.success) {
      this.report('name', l10n.t('The extension is ignored: it needs a "name" of letters, digits and dashes.'));
      return undefined;
    }
    const version = z.string().min(1).safeParse(fields['version']);
    if (!version.success) {
      this.report('version', l10n.t('The extension is ignored: it needs a "version".'));
      return undefined;
    }
    const { manifest, folder } = this.place;
    const description = this.optional(z.string(), fields, 'description');
    const movedTo = this.optional(z.string(), fields, 'migratedTo');
    const servers = this.optional(z.record(z.string(), z.unknown()), fields, 'mcpServers') ?? {};
    const excluded = this.optional(z.array(z.string()), fields, 'excludeTools') ?? [];
    return {
      name: named.data,
      version: oneLine(version.data, MAX_TEXT),
      ...(description !== undefined && { description: oneLine(description, MAX_TEXT) }),
      manifest,
      folder,
      contextFiles: this.contextFiles(fields),
      servers: Object.keys(servers),
      excludeTools: excluded.map((tool) => ({ tool, line: this.lineOf('excludeTools') })),
      settings: this.settings(fields),
      ...(movedTo !== undefined && { movedTo: oneLine(movedTo, MAX_TEXT) }),
    };
  }

  private contextFiles(fields: Readonly<Record<string, unknown>>): readonly string[] {
    const named = this.optional(z.union([z.string(), z.array(z.string())]), fields, 'contextFileName');
    const names = named === undefined || named.length === 0 ? [DEFAULT_CONTEXT_FILE] : [named].flat();
    const { root } = this.place;
    return names.slice(0, MAX_CONTEXT_FILES).flatMap((written) => {
      const path = normalize(expandForExtension(written, this.place, root).replaceAll('/', sep));
      const inside = path.startsWith(this.place.folder + sep) ? path.slice(this.place.folder.length + 1) : path;
      if (!isAbsolute(inside) && inside !== '..' && !inside.startsWith(`..${sep}`) && inside !== '.') return [inside];
      const shown = oneLine(written, MAX_TEXT);
      this.report('contextFileName', l10n.t('"{0}" is ignored: it is outside the extension\'s folder.', shown));
      return [];
    });
  }

  private settings(fields: Readonly<Record<string, unknown>>): readonly ExtensionSetting[] {
    const list = this.optional(z.array(z.unknown()), fields, 'settings') ?? [];
    return list.flatMap((entry) => {
      const read = settingSchema().safeParse(entry);
      if (!read.success) {
        this.report(
          'settings',
          l10n.t('An entry in "settings" is ignored: it needs a name and the name of a variable.'),
        );
        return [];
      }
      const { name: title, description, envVar, sensitive } = read.data;
      return [
        {
          name: oneLine(title, MAX_TEXT),
          description: oneLine(description, MAX_TEXT),
          variable: envVar,
          isSensitive: sensitive,
        },
      ];
    });
  }

  /** The validated value; undefined if it is missing, or if it is invalid, which is reported. */
  private optional<T>(schema: z.ZodType<T>, fields: Readonly<Record<string, unknown>>, key: string): T | undefined {
    if (fields[key] === undefined) return undefined;
    const { success, data, error } = schema.safeParse(fields[key]);
    if (success) return data;
    this.report(key, l10n.t('"{0}" is ignored: {1}.', key, error.issues[0]?.message ?? ''));
    return undefined;
  }

  private report(key: string, text: string): void {
    this.problems.push({ file: this.place.manifest, line: this.lineOf(key), text });
  }

  /**
   * The JSON reader knows only the lines of objects and lists. If a key occurs several times, the outermost has the
   * smallest indentation.
   */
  private lineOf(key: string): number {
    const lines = this.text.split('\n').map((line, index) => ({ at: line.indexOf(`"${key}"`), number: index + 1 }));
    const [outermost] = lines.filter(({ at }) => at >= 0).sort((left, right) => left.at - right.at);
    return outermost?.number ?? 1;
  }
}
