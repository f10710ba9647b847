import * as l10n from '@vscode/l10n';
import { readOverrides } from '../../agents/read-overrides.ts';
import { isObject } from '../../base/objects.ts';
import { once } from '../../base/once.ts';
import { writtenSettings } from '../../gemini-config/flat-keys.ts';
import type { LayerName } from '../../gemini-config/gemini-settings.ts';
import { settingKeys } from '../../gemini-config/setting-keys.ts';
import { type FileText, settingsText } from '../../gemini-config/settings-files.ts';
import { unappliedKey, wrongValue } from '../../gemini-config/unapplied.ts';
import { limitsInJson } from '../../gemini-extensions/extension-limits.ts';
import { readManifest } from '../../gemini-extensions/read-manifest.ts';
import { hooksIn, readHooks } from '../../hooks/read-hooks.ts';
import { readServers, serversIn } from '../../mcp/read-servers.ts';
import { readGenerationConfig } from '../../model/catalog/generation-settings.ts';
import { readUserConfigs } from '../../model/catalog/user-configs.ts';
import { type JsonPlaces, type JsonText, type ProblemPlace, readJson } from '../../text/json-with-comments.ts';
import { keyText } from './config-schemas.ts';
import type { JsonProblem, JsonProblemKind } from './json-problem.ts';
import type { JsonSource } from './json-source.ts';

/** The problems that the runtime finds in a file alone. */
export function readProblems(source: JsonSource, text: string): readonly JsonProblem[] {
  const { hooks, servers, extension, kind, path } = source;
  const content = settingsText(text);
  if (!('text' in content)) return unreadProblems(source, content);
  const json = readJson(text);
  if ('problem' in json) {
    const { problem, ...place } = json;
    return [reported({ ...place, text: l10n.t('The file is not valid JSON: {0}.', problem) }, 'json')];
  }
  const ofServers = (): readonly JsonProblem[] => (servers ? all(readServers(text, servers, json), 'servers') : []);
  if (kind === 'extension' && extension) {
    const read = readManifest(text, { manifest: path, folder: extension.folder, root: source.folder }, json);
    // Nothing else of an ignored extension is read.
    return [...all(read, 'extension'), ...(read.extension ? ofServers() : [])];
  }
  return [
    ...(hooks ? all(readHooks(text, hooks, json), 'hooks') : []),
    ...ofServers(),
    ...(kind === 'settings' ? settingsProblems(source, text, json) : []),
  ];
}

/** Each reader says what it could not read. */
function unreadProblems({ hooks, servers, kind }: JsonSource, content: FileText): readonly JsonProblem[] {
  if (kind === 'extension') return [reported({ line: 1, text: l10n.t('It is larger than 1 MB.') }, 'extension')];
  const ofHooks = hooks ? all(hooksIn(content, hooks), 'hooks') : [];
  return servers ? [...ofHooks, ...all(serversIn(content, servers), 'servers')] : ofHooks;
}

type Reported = ProblemPlace & { readonly text: string };

function all({ problems }: { readonly problems: readonly Reported[] }, kind: JsonProblemKind): readonly JsonProblem[] {
  return problems.map((problem) => reported(problem, kind));
}

function reported(problem: Reported, kind: JsonProblemKind): JsonProblem {
  const { text, line, range, foundBySchema } = problem;
  return { line, ...(range && { range }), ...(foundBySchema && { foundBySchema }), kind, text, severity: 'error' };
}

type ReadText = Extract<JsonText, { readonly value: unknown }>;

type Fields = Readonly<Record<string, unknown>>;

function settingsProblems(source: JsonSource, text: string, json: ReadText): readonly JsonProblem[] {
  const { value, places } = json;
  const { path, layer = 'user' } = source;
  const fields = isObject(value) ? value : {};
  const ofAgents = layer === 'defaults' ? [] : readOverrides(text, path, readGenerationConfig, json).problems;
  const limits = layer === 'user' || layer === 'system' ? limitsInJson(json, path) : undefined;
  return [
    ...ofAgents.map((problem) => reported(problem, 'agents')),
    ...(layer === 'project' ? [] : modelProblems(fields, places)),
    ...(limits && 'problem' in limits ? [reported(limits.problem, 'extension')] : []),
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
    const key = unappliedKey(setting, layer);
    const wrong = key === undefined ? wrongValue(setting) : undefined;
    if (wrong !== undefined) {
      const place = places.problemAt(setting.path, { foundBySchema: true });
      return [reported({ ...place, text: l10n.t('"{0}" is ignored: {1}.', setting.key, wrong) }, 'setting')];
    }
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
  const steps = key.split('.');
  const sections = steps.map((_, at) => keysByName().get(steps.slice(0, at + 1).join('.')));
  const known = sections.find((setting) => setting?.verdict === 'not yet');
  if (known) return keyText(known);
  return layer === 'project'
    ? l10n.t('"{0}" is ignored: a folder can only restrict.', key)
    : l10n.t('Gantry does not apply "{0}".', key);
}

const keysByName = once(() => new Map(settingKeys().map((setting) => [setting.key, setting])));
