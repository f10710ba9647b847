import * as l10n from '@vscode/l10n';
import { readOverrides } from '../../agents/read-overrides.ts';
import { isObject } from '../../base/objects.ts';
import { writtenSettings } from '../../gemini-config/flat-keys.ts';
import type { LayerName } from '../../gemini-config/gemini-settings.ts';
import { settingKeys } from '../../gemini-config/setting-keys.ts';
import { settingsText } from '../../gemini-config/settings-files.ts';
import { unappliedKey, wrongValue } from '../../gemini-config/unapplied.ts';
import { limitsIn } from '../../gemini-extensions/extension-limits.ts';
import { readManifest } from '../../gemini-extensions/read-manifest.ts';
import { hooksIn } from '../../hooks/read-hooks.ts';
import { serversIn } from '../../mcp/read-servers.ts';
import { readGenerationConfig } from '../../model/catalog/generation-settings.ts';
import { readUserConfigs } from '../../model/catalog/user-configs.ts';
import { type JsonPlaces, type ProblemPlace, readJson } from '../../text/json-with-comments.ts';
import { keyText } from './config-schemas.ts';
import type { JsonProblem, JsonProblemKind } from './json-problem.ts';
import type { JsonSource } from './json-source.ts';

/** The problems that the runtime finds in a file alone. */
export function readProblems(source: JsonSource, text: string): readonly JsonProblem[] {
  const content = settingsText(text);
  const { hooks, servers, extension, kind } = source;
  const isManifest = kind === 'extension' && extension;
  // The readers of hooks and servers say that they couldn't read the file.
  if (!('text' in content)) {
    const own = [
      ...(hooks ? hooksIn(content, hooks).problems.map((problem) => reported(problem, 'hooks')) : []),
      ...(servers && !isManifest
        ? serversIn(content, servers).problems.map((problem) => reported(problem, 'servers'))
        : []),
    ];
    return isManifest ? [reported({ line: 1, text: l10n.t('It is larger than 1 MB.') }, 'extension')] : own;
  }
  const json = readJson(text);
  if ('problem' in json) {
    const { problem, ...place } = json;
    return [{ ...place, kind: 'json', text: l10n.t('The file is not valid JSON: {0}.', problem), severity: 'error' }];
  }
  const place = extension && { manifest: source.path, folder: extension.folder, root: source.folder };
  return [
    ...(isManifest && place ? readManifest(text, place).problems.map((problem) => reported(problem, 'extension')) : []),
    ...(hooks ? hooksIn(content, hooks).problems.map((problem) => reported(problem, 'hooks')) : []),
    ...(servers ? serversIn(content, servers).problems.map((problem) => reported(problem, 'servers')) : []),
    ...(kind === 'settings' ? settingsProblems(source, text, json) : []),
  ];
}

function reported(problem: ProblemPlace & { readonly text: string }, kind: JsonProblemKind): JsonProblem {
  const { text, line, range, foundBySchema } = problem;
  return { line, ...(range && { range }), ...(foundBySchema && { foundBySchema }), kind, text, severity: 'error' };
}

interface ReadText {
  readonly value: unknown;
  readonly places: JsonPlaces;
}

type Fields = Readonly<Record<string, unknown>>;

function settingsProblems(source: JsonSource, text: string, { value, places }: ReadText): readonly JsonProblem[] {
  const { path, layer = 'user' } = source;
  const fields = isObject(value) ? value : {};
  const ofAgents = layer === 'defaults' ? [] : readOverrides(text, path, readGenerationConfig).problems;
  const limits = layer === 'user' || layer === 'system' ? limitsIn({ text }, path) : undefined;
  return [
    ...ofAgents.map((problem) => reported(problem, 'agents')),
    ...(layer === 'project' ? [] : modelProblems(fields, places)),
    ...(limits && 'problem' in limits ? [reported(limits.problem, 'setting')] : []),
    ...valueProblems(fields, layer, places),
  ];
}

function modelProblems(fields: Fields, places: JsonPlaces): readonly JsonProblem[] {
  const { problems } = readUserConfigs(fields['modelConfigs'], 'modelConfigs');
  return problems.map((problem) => {
    const place = places.problemAt(['modelConfigs', ...problem.path], problem);
    return reported({ ...place, text: problem.text }, 'models');
  });
}

function valueProblems(fields: Fields, layer: LayerName, places: JsonPlaces): readonly JsonProblem[] {
  const named = new Set<string>();
  return writtenSettings(fields).flatMap((setting): JsonProblem[] => {
    const wrong = wrongValue(setting);
    if (wrong !== undefined) {
      const place = places.problemAt(setting.path, { foundBySchema: true });
      return [reported({ ...place, text: l10n.t('"{0}" is ignored: {1}.', setting.key, wrong) }, 'setting')];
    }
    const key = unappliedKey(setting, layer);
    if (key === undefined || named.has(key)) return [];
    named.add(key);
    // The key may be that of a section.
    const length = setting.path.length - (stepsIn(setting.key) - stepsIn(key));
    const path = setting.path.slice(0, Math.max(1, length));
    const place = { ...places.problemAt(path, { of: 'key' }), path };
    return [
      { ...place, kind: 'unapplied', text: unappliedText(key, layer), severity: 'information', isNeedless: true },
    ];
  });
}

function stepsIn(key: string): number {
  return key.split('.').length;
}

function unappliedText(key: string, layer: LayerName): string {
  const known = settingKeys().find((setting) => key === setting.key || key.startsWith(`${setting.key}.`));
  if (known?.verdict === 'not yet') return keyText(known);
  return layer === 'project'
    ? l10n.t('"{0}" is ignored: a folder can only restrict.', key)
    : l10n.t('Gantry does not apply "{0}".', key);
}
