import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { FileText } from '../gemini-config/settings-files.ts';
import { sandboxClause } from '../policy/sandbox-clause.ts';
import { type ExtensionFolder, expandForExtension } from '../ports/extension-folder.ts';
import type { JsonPath } from '../text/json-tree.ts';
import { ignoredText, type JsonPlaces, type ProblemPlace, readJson } from '../text/json-with-comments.ts';
import { namesLike } from '../text/nearest-names.ts';
import { type CommandHook, HOOK_EVENTS, type HookEvent, type HookGroup } from './hook-types.ts';

/** A file that may define hooks. */
export interface HookFile {
  /** An absolute path. */
  readonly path: string;
  readonly source: CommandHook['source'];
  /** The extension that contains the file, and the open folder. */
  readonly extension?: ExtensionFolder & { readonly root: string | undefined };
}

/** A problem in a settings file, or a hook that requires approval. */
export interface HookFileProblem extends ProblemPlace {
  readonly file: string;
  readonly text: string;
  /** The hook has no error, but requires approval. */
  readonly waits?: boolean;
  /** The complete file is invalid, whatever it was read for. */
  readonly damaged?: boolean;
}

export interface ReadHooks {
  readonly groups: readonly HookGroup[];
  /** False if this file turns hooks off. */
  readonly enabled: boolean;
  /** The hooks that this file turns off: their names, or the commands of hooks without a name. */
  readonly disabled: readonly string[];
  readonly problems: readonly HookFileProblem[];
  /** The content of this file is unknown. */
  readonly unreadable?: boolean;
}

/** Keys that older versions had next to the events. */
const NOT_EVENTS: ReadonlySet<string> = new Set(['enabled', 'disabled', 'notifications']);
/** A longer timeout is a mistake, and Node treats a very long one as 1 ms. */
const MAX_TIMEOUT = 3_600_000;

const settings = once(() => z.looseObject({ hooks: z.unknown().optional(), hooksConfig: z.unknown().optional() }));
const hooksByEvent = once(() => z.record(z.string(), z.unknown()));
export const hookSwitches = once(() =>
  z.looseObject({
    enabled: z.boolean().optional(),
    disabled: z.array(z.string()).optional(),
  }),
);
export const hookGroup = once(() =>
  z.looseObject({
    matcher: z.string().optional(),
    sequential: z.boolean().optional(),
    hooks: z.array(z.unknown()),
  }),
);
export const commandHook = once(() =>
  z.looseObject({
    type: z.literal('command'),
    command: z.string().regex(/\S/, 'it is empty').trim(),
    name: z.string().optional(),
    timeout: z.number().positive().optional(),
    env: z.record(z.string(), z.string()).optional(),
    sandbox: sandboxClause().optional(),
  }),
);

export const NO_FILE_HOOKS: ReadHooks = { groups: [], enabled: true, disabled: [], problems: [] };

/** The hooks of a file that may be missing or unreadable. */
export function hooksIn(content: FileText | undefined, file: HookFile): ReadHooks {
  if (!content) return NO_FILE_HOOKS;
  if ('text' in content) return readHooks(content.text, file);
  const text = l10n.t('Hooks could not be read: {0}.', content.problem);
  return { ...NO_FILE_HOOKS, problems: [{ file: file.path, line: 1, text }], unreadable: true };
}

/** Reads the hooks in a settings file. Invalid entries are reported and ignored. */
export function readHooks(text: string, file: HookFile, json = readJson(text)): ReadHooks {
  if (!('problem' in json)) return new SettingsReader(file, json.places).read(json.value);
  const { problem: why, ...place } = json;
  const problem = { file: file.path, ...place, text: l10n.t('The file is not valid JSON: {0}.', why), damaged: true };
  return { groups: [], enabled: true, disabled: [], problems: [problem], unreadable: true };
}

class SettingsReader {
  private readonly problems: HookFileProblem[] = [];

  constructor(
    private readonly file: HookFile,
    private readonly places: JsonPlaces,
  ) {}

  read(value: unknown): ReadHooks {
    const root = this.shaped(settings(), value, l10n.t('Everything'), []) ?? {};
    const config = this.shaped(hookSwitches().optional(), root.hooksConfig, '"hooksConfig"', ['hooksConfig']) ?? {};
    const named = this.shaped(hooksByEvent().optional(), root.hooks, '"hooks"', ['hooks']) ?? {};
    const groups = Object.entries(named).flatMap(([name, entries]) => this.groupsOf(name, entries, ['hooks', name]));
    return { groups, enabled: config.enabled ?? true, disabled: config.disabled ?? [], problems: this.problems };
  }

  private groupsOf(name: string, value: unknown, path: JsonPath): HookGroup[] {
    if (NOT_EVENTS.has(name)) return [];
    if (!isEvent(name)) {
      this.report(this.places.problemAt(path, { of: 'key' }), unknownEvent(name));
      return [];
    }
    const list = this.shaped(z.array(z.unknown()), value, l10n.t('The value of {0}', name), path);
    return (list ?? []).flatMap((entry, at) => this.groupIn(entry, [...path, at], name));
  }

  private groupIn(value: unknown, path: JsonPath, event: HookEvent): HookGroup[] {
    const read = this.shaped(hookGroup(), value, l10n.t('An entry for {0}', event), path);
    if (!read) return [];
    const hooks = read.hooks.flatMap((hook, at) => this.hookIn(hook, [...path, 'hooks', at], event));
    const { matcher, sequential = false } = read;
    return [{ event, ...(matcher !== undefined && { matcher }), sequential, hooks }];
  }

  private hookIn(value: unknown, path: JsonPath, event: HookEvent): CommandHook[] {
    const read = this.shaped(commandHook(), value, l10n.t('A hook for {0}', event), path);
    if (!read) return [];
    const { type, name, timeout, sandbox } = read;
    const env = read.env && Object.fromEntries(Object.entries(read.env).map(([key, text]) => [key, this.expand(text)]));
    const { path: file, source, extension } = this.file;
    const about = {
      ...(name && { name }),
      ...(env && { env }),
      ...(timeout && { timeoutMs: limited(timeout) }),
      ...(sandbox !== undefined && { sandbox }),
    };
    const line = this.places.lineOf(path);
    const origin = { source, ...(extension && { extension: extension.name }), file, line };
    return [{ type, command: this.expand(read.command), ...about, ...origin }];
  }

  private expand(text: string): string {
    const { extension } = this.file;
    return extension ? expandForExtension(text, extension, extension.root) : text;
  }

  /** Returns the parsed value, or reports a problem and returns undefined. */
  private shaped<T>(schema: z.ZodType<T>, value: unknown, what: string, path: JsonPath): T | undefined {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    this.report(this.places.issueAt(path, error), ignoredText(what, error));
    return undefined;
  }

  private report(place: ProblemPlace, text: string): void {
    this.problems.push({ file: this.file.path, ...place, text });
  }
}

function unknownEvent(name: string): string {
  const [meant] = namesLike(name, HOOK_EVENTS, 1);
  return meant === undefined
    ? l10n.t('The hook event "{0}" is unknown.', name)
    : l10n.t('The hook event "{0}" is unknown. Did you mean "{1}"?', name, meant);
}

function isEvent(name: string): name is HookEvent {
  return HOOK_EVENTS.some((event) => event === name);
}

function limited(timeout: number): number {
  return Math.min(Math.ceil(timeout), MAX_TIMEOUT);
}
