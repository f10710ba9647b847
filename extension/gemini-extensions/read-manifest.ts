import { isAbsolute, normalize, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../base/objects.ts';
import { once } from '../base/once.ts';
import { expandForExtension } from '../ports/extension-folder.ts';
import type { JsonPath } from '../text/json-tree.ts';
import { type IssueKind, issueIn, type JsonPlaces, readJson } from '../text/json-with-comments.ts';
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

const texts = once(() => z.array(z.string()));
const settingSchema = once(() =>
  z.looseObject({
    name: z.string(),
    description: z.string().default(''),
    envVar: z.string().regex(/^[A-Za-z_]\w*$/),
    sensitive: z.boolean().default(false),
  }),
);

/** A manifest. The reader takes each field by itself, so that a mistake doesn't affect the others. */
export const manifestSchema = once(() =>
  z.looseObject({
    /** Gemini CLI's rule: the name becomes part of paths, rules and questions to the user. */
    name: z.string().regex(/^[a-zA-Z0-9-]{1,64}$/),
    version: z.string().min(1),
    description: z.string().optional(),
    migratedTo: z.string().optional(),
    mcpServers: z.record(z.string(), z.unknown()).optional(),
    contextFileName: z.union([z.string(), texts()]).optional(),
    excludeTools: texts().optional(),
    settings: z.array(settingSchema()).optional(),
  }),
);

/** Reads a manifest. A name and a version are required; other invalid entries are reported and ignored. */
export function readManifest(text: string, place: ManifestPlace, json = readJson(text)): ReadManifest {
  if ('problem' in json) {
    const { problem, ...where } = json;
    const text = l10n.t('The file is not valid JSON: {0}.', problem);
    return { problems: [{ file: place.manifest, ...where, text }] };
  }
  const reader = new ManifestReader(json.places, place);
  const extension = reader.read(json.value);
  return { ...(extension && { extension }), problems: reader.problems };
}

class ManifestReader {
  readonly problems: ExtensionProblem[] = [];

  constructor(
    private readonly places: JsonPlaces,
    private readonly place: ManifestPlace,
  ) {}

  read(value: unknown): GeminiExtension | undefined {
    const fields = isObject(value) ? value : {};
    const name = manifestSchema().shape.name.safeParse(fields['name']);
    if (!name.success) {
      const text = l10n.t('The extension is ignored: it needs a "name" of letters, digits and dashes.');
      this.report(['name'], text, { foundBySchema: true });
      return undefined;
    }
    const version = manifestSchema().shape.version.safeParse(fields['version']);
    if (!version.success) {
      const text = l10n.t('The extension is ignored: it needs a "version".');
      this.report(['version'], text, { foundBySchema: true });
      return undefined;
    }
    const { manifest, folder } = this.place;
    const description = this.optional(manifestSchema().shape.description, fields, 'description');
    const movedTo = this.optional(manifestSchema().shape.migratedTo, fields, 'migratedTo');
    const servers = this.optional(manifestSchema().shape.mcpServers, fields, 'mcpServers') ?? {};
    const excluded = this.optional(manifestSchema().shape.excludeTools, fields, 'excludeTools') ?? [];
    return {
      name: name.data,
      version: oneLine(version.data, MAX_TEXT),
      ...(description !== undefined && { description: oneLine(description, MAX_TEXT) }),
      manifest,
      folder,
      contextFiles: this.contextFiles(fields),
      servers: Object.keys(servers),
      excludeTools: excluded.map((tool, at) => ({ tool, line: this.places.lineOf(['excludeTools', at]) })),
      settings: this.settings(fields),
      ...(movedTo !== undefined && { movedTo: oneLine(movedTo, MAX_TEXT) }),
    };
  }

  private contextFiles(fields: Readonly<Record<string, unknown>>): readonly string[] {
    const named = this.optional(manifestSchema().shape.contextFileName, fields, 'contextFileName');
    const names = named === undefined || named.length === 0 ? [DEFAULT_CONTEXT_FILE] : [named].flat();
    const { root } = this.place;
    return names.slice(0, MAX_CONTEXT_FILES).flatMap((written, at) => {
      const file = normalize(expandForExtension(written, this.place, root).replaceAll('/', sep));
      const inside = file.startsWith(this.place.folder + sep) ? file.slice(this.place.folder.length + 1) : file;
      if (!isAbsolute(inside) && inside !== '..' && !inside.startsWith(`..${sep}`) && inside !== '.') return [inside];
      const shown = oneLine(written, MAX_TEXT);
      const path = Array.isArray(named) ? ['contextFileName', at] : ['contextFileName'];
      this.report(path, l10n.t('"{0}" is ignored: it is outside the extension\'s folder.', shown));
      return [];
    });
  }

  private settings(fields: Readonly<Record<string, unknown>>): readonly ExtensionSetting[] {
    const list = this.optional(z.array(z.unknown()).optional(), fields, 'settings') ?? [];
    return list.flatMap((entry, at) => {
      const read = settingSchema().safeParse(entry);
      if (!read.success) {
        const issue = issueIn(read.error, ['settings', at]);
        const text = l10n.t('An entry in "settings" is ignored: it needs a name and the name of a variable.');
        this.report(issue.path, text, issue);
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
    const issue = issueIn(error, [key]);
    this.report(issue.path, l10n.t('"{0}" is ignored: {1}.', key, error.issues[0]?.message ?? ''), issue);
    return undefined;
  }

  private report(path: JsonPath, text: string, kind?: IssueKind): void {
    this.problems.push({ file: this.place.manifest, ...this.places.problemAt(path, kind), text });
  }
}
