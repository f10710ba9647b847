import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { OpenTexts } from '../files/read-beginning.ts';
import { type FileText, readSettings } from '../gemini-config/settings-files.ts';
import { type JsonText, type ProblemPlace, readJson } from '../text/json-with-comments.ts';
import type { ExtensionInstall, ExtensionProblem } from './gemini-extension.ts';

/** Decides which extensions may be used, by where they were installed from. */
export interface ExtensionLimits {
  /** The reason for a refusal; undefined if the extension may be used. */
  refuse(install: ExtensionInstall | undefined): string | undefined;
  readonly problems: readonly ExtensionProblem[];
}

/** The part of Gemini CLI's settings that has the limits. */
export const limitSettings = once(() =>
  z.looseObject({
    admin: z.looseObject({ extensions: z.looseObject({ enabled: z.boolean().optional() }).optional() }).optional(),
    security: z
      .looseObject({
        allowedExtensions: z.array(z.string()).optional(),
        blockGitExtensions: z.boolean().optional(),
      })
      .optional(),
  }),
);
type Settings = z.infer<ReturnType<typeof limitSettings>>;

/**
 * Reads the limits from the settings of the user and the system (absolute paths). All files must allow an extension; an
 * unreadable file allows none.
 */
export async function readLimits(files: readonly string[], open?: OpenTexts): Promise<ExtensionLimits> {
  const read = await Promise.all(files.map((file) => readOne(file, open)));
  const problems = read.flatMap((each) => ('problem' in each ? [each.problem] : []));
  const known = read.flatMap((each) => ('settings' in each ? [each.settings] : []));
  return {
    refuse: (install) => (problems.length > 0 ? notKnown() : known.map((each) => refusal(each, install)).find(Boolean)),
    problems,
  };
}

type ReadLimits = { readonly settings: Settings } | { readonly problem: ExtensionProblem };

async function readOne(file: string, open: OpenTexts | undefined): Promise<ReadLimits> {
  return limitsIn(await readSettings(file, undefined, open), file);
}

function limitsIn(content: FileText | undefined, file: string): ReadLimits {
  if (!content) return { settings: {} };
  if ('problem' in content) return { problem: allOff(file, { line: 1 }, content.problem) };
  return limitsInJson(readJson(content.text), file);
}

/** The limits in a settings file. */
export function limitsInJson(json: JsonText, file: string): ReadLimits {
  if ('problem' in json) return { problem: allOff(file, json, json.problem) };
  const { success, data, error } = limitSettings().safeParse(json.value);
  if (success) return { settings: data };
  const why = `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`;
  return { problem: allOff(file, json.places.issueAt([], error), why) };
}

function allOff(file: string, { line, range, foundBySchema }: ProblemPlace, why: string): ExtensionProblem {
  const text = l10n.t("All extensions are off, because Gantry can't read which of them are allowed: {0}.", why);
  return { file, line, ...(range && { range }), ...(foundBySchema && { foundBySchema }), text };
}

function refusal({ admin, security = {} }: Settings, install: ExtensionInstall | undefined): string | undefined {
  if (admin?.extensions?.enabled === false) return l10n.t('extensions are turned off in the settings');
  const { allowedExtensions = [], blockGitExtensions = false } = security;
  if (allowedExtensions.length > 0) {
    const isAllowed = install && allowedExtensions.some((pattern) => isFound(pattern, install.source));
    return isAllowed ? undefined : l10n.t('"security.allowedExtensions" does not allow its source');
  }
  const isRemote = install?.type === 'git' || install?.type === 'github-release';
  return blockGitExtensions && isRemote
    ? l10n.t('"security.blockGitExtensions" does not allow extensions from Git')
    : undefined;
}

/** An invalid regular expression matches nothing. */
function isFound(pattern: string, source: string): boolean {
  try {
    return new RegExp(pattern).test(source);
  } catch {
    return false;
  }
}

const notKnown = (): string => l10n.t("Gantry can't tell whether it is allowed");
