import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import { readSettings } from '../gemini-config/settings-files.ts';
import { readJson } from '../text/json-with-comments.ts';
import type { ExtensionInstall, ExtensionProblem } from './gemini-extension.ts';

/** Decides which extensions may be used, by where they were installed from. */
export interface ExtensionLimits {
  /** The reason for a refusal; undefined if the extension may be used. */
  refuse(install: ExtensionInstall | undefined): string | undefined;
  readonly problems: readonly ExtensionProblem[];
}

const settingsSchema = once(() =>
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
type Settings = z.infer<ReturnType<typeof settingsSchema>>;

/**
 * Reads the limits from the settings of the user and the system (absolute paths). All files must allow an extension; an
 * unreadable file allows none.
 */
export async function readLimits(files: readonly string[]): Promise<ExtensionLimits> {
  const read = await Promise.all(files.map(readOne));
  const problems = read.flatMap((each) => ('problem' in each ? [each.problem] : []));
  const known = read.flatMap((each) => ('settings' in each ? [each.settings] : []));
  return {
    refuse: (install) => (problems.length > 0 ? notKnown() : known.map((each) => refusal(each, install)).find(Boolean)),
    problems,
  };
}

async function readOne(
  file: string,
): Promise<{ readonly settings: Settings } | { readonly problem: ExtensionProblem }> {
  const wrong = (line: number, why: string): { readonly problem: ExtensionProblem } => ({
    problem: {
      file,
      line,
      text: l10n.t("All extensions are off, because Gantry can't read which of them are allowed: {0}.", why),
    },
  });
  const content = await readSettings(file);
  if (!content) return { settings: {} };
  if ('problem' in content) return wrong(1, content.problem);
  const json = readJson(content.text);
  if ('problem' in json) return wrong(json.line, json.problem);
  const { success, data, error } = settingsSchema().safeParse(json.value);
  return success ? { settings: data } : wrong(1, `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
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
