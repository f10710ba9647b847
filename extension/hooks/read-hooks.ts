import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import { sandboxClause } from '../policy/sandbox-clause.ts';
import { type ExtensionFolder, expandForExtension } from '../ports/extension-folder.ts';
import { ignoredText, readJson } from '../text/json-with-comments.ts';
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
export interface HookFileProblem {
  readonly file: string;
  /** Starts at 1. */
  readonly line: number;
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

const settingsSchema = once(() =>
  z.looseObject({ hooks: z.unknown().optional(), hooksConfig: z.unknown().optional() }),
);
const switchesSchema = once(() =>
  z.looseObject({
    enabled: z.boolean().optional(),
    disabled: z.array(z.string()).optional(),
  }),
);
const groupSchema = once(() =>
  z.looseObject({
    matcher: z.string().optional(),
    sequential: z.boolean().optional(),
    hooks: z.array(z.unknown()),
  }),
);
const commandSchema = once(() =>
  z.looseObject({
    type: z.literal('command'),
    command: z.string().trim().min(1),
    name: z.string().optional(),
    timeout: z.number().positive().optional(),
    env: z.record(z.string(), z.string()).optional(),
    sandbox: sandboxClause().optional(),
  }),
);

/** Reads the hooks in a settings file. Invalid entries are reported and ignored. */
export function readHooks(text: string, file: HookFile): ReadHooks {
  const json = readJson(text);
  if (!('problem' in json)) return new SettingsReader(file, json.lineOf).read(json.value);
  const why = l10n.t('The file is not valid JSON: {0}.', json.problem);
  const problem = { file: file.path, line: json.line, text: why, damaged: true };
  return { groups: [], enabled: true, disabled: [], problems: [problem], unreadable: true };
}

class SettingsReader {
  private readonly problems: HookFileProblem[] = [];

  constructor(
    private readonly file: HookFile,
    private readonly lineOf: (container: unknown) => number,
  ) {}

  read(value: unknown): ReadHooks {
    const root = this.shaped(settingsSchema(), value, l10n.t('Everything'), value) ?? {};
    const config = this.shaped(switchesSchema().optional(), root.hooksConfig, '"hooksConfig"', root.hooksConfig) ?? {};
    const named = this.shaped(z.record(z.string(), z.unknown()).optional(), root.hooks, '"hooks"', value) ?? {};
    const groups = Object.entries(named).flatMap(([name, entries]) => this.groupsOf(name, entries, root.hooks));
    return { groups, enabled: config.enabled ?? true, disabled: config.disabled ?? [], problems: this.problems };
  }

  private groupsOf(name: string, entries: unknown, container: unknown): HookGroup[] {
    if (NOT_EVENTS.has(name)) return [];
    if (!isEvent(name)) {
      this.report(near(entries, container), l10n.t('The hook event "{0}" is unknown.', name));
      return [];
    }
    const list = this.shaped(z.array(z.unknown()), entries, l10n.t('The value of {0}', name), near(entries, container));
    return (list ?? []).flatMap((entry) => this.groupIn(entry, entries, name));
  }

  private groupIn(value: unknown, container: unknown, event: HookEvent): HookGroup[] {
    const read = this.shaped(groupSchema(), value, l10n.t('An entry for {0}', event), near(value, container));
    if (!read) return [];
    const hooks = read.hooks.flatMap((hook) => this.hookIn(hook, value, event));
    const { matcher, sequential = false } = read;
    return [{ event, ...(matcher !== undefined && { matcher }), sequential, hooks }];
  }

  private hookIn(value: unknown, container: unknown, event: HookEvent): CommandHook[] {
    const read = this.shaped(commandSchema(), value, l10n.t('A hook for {0}', event), near(value, container));
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
    const origin = { source, ...(extension && { extension: extension.name }), file, line: this.lineOf(value) };
    return [{ type, command: this.expand(read.command), ...about, ...origin }];
  }

  private expand(text: string): string {
    const { extension } = this.file;
    return extension ? expandForExtension(text, extension, extension.root) : text;
  }

  /** Returns the parsed value, or reports a problem and returns undefined. */
  private shaped<T>(schema: z.ZodType<T>, value: unknown, what: string, container: unknown): T | undefined {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    this.report(container, ignoredText(what, error));
    return undefined;
  }

  private report(container: unknown, text: string): void {
    this.problems.push({ file: this.file.path, line: this.lineOf(container), text });
  }
}

/** The value, or its container if the value has no line number of its own. */
function near(value: unknown, container: unknown): unknown {
  return typeof value === 'object' && value !== null ? value : container;
}

function isEvent(name: string): name is HookEvent {
  return HOOK_EVENTS.some((event) => event === name);
}

function limited(timeout: number): number {
  return Math.min(Math.ceil(timeout), MAX_TIMEOUT);
}
