import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { InOrder } from '../base/in-order.ts';
import { once } from '../base/once.ts';
import { replaceFile } from '../files/durable-files.ts';
import { readSettings } from '../gemini-config/settings-files.ts';
import { readJson } from '../text/json-with-comments.ts';
import type { ExtensionProblem } from './gemini-extension.ts';

const stored = once(() => z.record(z.string(), z.looseObject({ overrides: z.array(z.string()).default([]) })));
type Stored = z.infer<ReturnType<typeof stored>>;

interface Unknown extends ExtensionProblem {
  readonly why: string;
}

/** Whether extensions are enabled for a folder. */
export interface Enablement {
  isEnabled(name: string, folder: string): boolean;
  readonly problems: readonly ExtensionProblem[];
}

/** Gemini CLI's `extension-enablement.json`, which both programs read and write. */
export class EnablementFile {
  readonly path: string;
  private readonly writing = new InOrder();

  constructor(extensionsFolder: string) {
    this.path = join(extensionsFolder, 'extension-enablement.json');
  }

  /** If the file is invalid, all extensions are disabled, because it is not known which of them it disables. */
  async read(): Promise<Enablement> {
    const content = await this.load();
    if ('problem' in content) {
      const { why: _, ...problem } = content.problem;
      return { isEnabled: () => false, problems: [problem] };
    }
    const { all } = content;
    const rulesOf = (name: string) => (Object.hasOwn(all, name) ? (all[name]?.overrides ?? []).map(parseRule) : []);
    return { isEnabled: (name, folder) => isOnFor(folder, rulesOf(name)), problems: [] };
  }

  /** Sets the state for a folder and all folders below it. Throws if the file cannot be read or written. */
  async set(name: string, folder: string, isOn: boolean): Promise<void> {
    await this.writing.run(async () => {
      const content = await this.load();
      if ('problem' in content) throw new Error(notWritten(content.problem));
      const { all } = content;
      const own = Object.hasOwn(all, name) ? all[name] : undefined;
      const rules = withRule((own?.overrides ?? []).map(parseRule), ruleFor(folder, isOn));
      const changed = { ...all, [name]: { ...own, overrides: rules.map(writeRule) } };
      await replaceFile(this.path, `${JSON.stringify(changed, undefined, 2)}\n`);
    });
  }

  private async load(): Promise<{ readonly all: Stored } | { readonly problem: Unknown }> {
    const content = await readSettings(this.path);
    if (!content) return { all: {} };
    if ('problem' in content) return this.unknown(1, content.problem);
    const json = readJson(content.text);
    if ('problem' in json) return this.unknown(json.line, json.problem);
    const { success, data, error } = stored().safeParse(json.value);
    return success ? { all: data } : this.unknown(json.places.issueAt([], error).line, error.issues[0]?.message ?? '');
  }

  private unknown(line: number, why: string): { readonly problem: Unknown } {
    const text = l10n.t("All extensions are off, because Gantry can't read which of them are turned off: {0}.", why);
    return { problem: { file: this.path, line, text, why } };
  }
}

/** Overwriting the file would lose its other entries. */
function notWritten({ file, line, why }: Unknown): string {
  return l10n.t('{0}:{1} is invalid, so nothing was written: {2}.', file, line, why);
}

/** A line of `extension-enablement.json`: the folders for which an extension is enabled or disabled. */
interface PathRule {
  readonly isOn: boolean;
  /** With slashes, also on Windows; `*` matches anything. */
  readonly pattern: string;
}

export function parseRule(written: string): PathRule {
  return written.startsWith('!') ? { isOn: false, pattern: written.slice(1) } : { isOn: true, pattern: written };
}

/** The rule for a folder and all folders below it. */
export function ruleFor(folder: string, isOn: boolean): PathRule {
  return { isOn, pattern: `${asPattern(folder)}*` };
}

export function writeRule({ isOn, pattern }: PathRule): string {
  return isOn ? pattern : `!${pattern}`;
}

/** Whether the rules enable an extension for a folder. The last matching rule applies; without one, it is enabled. */
export function isOnFor(folder: string, rules: readonly PathRule[]): boolean {
  return rules.findLast(({ pattern }) => matches(pattern, asPattern(folder)))?.isOn ?? true;
}

/** Appends the new rule and removes those that it makes redundant. */
export function withRule(rules: readonly PathRule[], added: PathRule): readonly PathRule[] {
  const base = baseOf(added.pattern);
  return [
    ...rules.filter(({ pattern }) => baseOf(pattern) !== base && !matches(added.pattern, baseOf(pattern))),
    added,
  ];
}

function baseOf(pattern: string): string {
  return pattern.endsWith('*') ? pattern.slice(0, -1) : pattern;
}

function asPattern(folder: string): string {
  const slashes = folder.replaceAll('\\', '/');
  return `${slashes.startsWith('/') ? '' : '/'}${slashes}${slashes.endsWith('/') ? '' : '/'}`;
}

/**
 * As in Gemini CLI, `/*` also matches an empty path. This is not a regular expression, because many stars would take
 * exponential time. It keeps the set of positions in the path that the pattern can have reached.
 */
function matches(pattern: string, path: string): boolean {
  let places = new Set([0]);
  for (let at = 0; at < pattern.length; at++) {
    const isSlashStar = pattern.startsWith('/*', at);
    if (isSlashStar) at++;
    places = pattern[at] === '*' ? afterStar(places, path, isSlashStar) : afterSign(places, path, pattern[at]);
  }
  return places.has(path.length);
}

function afterSign(places: ReadonlySet<number>, path: string, sign: string | undefined): Set<number> {
  return new Set([...places].filter((place) => path[place] === sign && place < path.length).map((place) => place + 1));
}

function afterStar(places: ReadonlySet<number>, path: string, needsSlash: boolean): Set<number> {
  const begins = [...places].filter((place) => !needsSlash || path[place] === '/');
  const first = Math.min(...begins, Number.POSITIVE_INFINITY);
  const after = new Set(places);
  for (let place = first; place <= path.length; place++) after.add(place);
  return after;
}
