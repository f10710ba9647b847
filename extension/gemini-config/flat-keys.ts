import { isObject, ownValue } from '../base/objects.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The names of keys before Gemini CLI 0.3 moved them into sections. Keys that only affect the appearance are omitted.
 */
export const FLAT_KEYS: Readonly<Record<string, string>> = {
  allowMCPServers: 'mcp.allowed',
  allowedTools: 'tools.allowed',
  autoAccept: 'tools.autoAccept',
  checkpointing: 'general.checkpointing',
  chatCompression: 'model.chatCompression',
  contextFileName: 'context.fileName',
  coreTools: 'tools.core',
  disableYoloMode: 'security.disableYoloMode',
  enforcedAuthType: 'security.auth.enforcedType',
  excludeMCPServers: 'mcp.excluded',
  excludeTools: 'tools.exclude',
  excludedProjectEnvVars: 'advanced.excludedEnvVars',
  fileFiltering: 'context.fileFiltering',
  folderTrust: 'security.folderTrust.enabled',
  includeDirectories: 'context.includeDirectories',
  loadMemoryFromIncludeDirectories: 'context.loadMemoryFromIncludeDirectories',
  maxSessionTurns: 'model.maxSessionTurns',
  mcpServerCommand: 'mcp.serverCommand',
  model: 'model.name',
  sandbox: 'tools.sandbox',
  selectedAuthType: 'security.auth.selectedType',
  summarizeToolOutput: 'model.summarizeToolOutput',
  toolCallCommand: 'tools.callCommand',
  toolDiscoveryCommand: 'tools.discoveryCommand',
  usageStatisticsEnabled: 'privacy.usageStatisticsEnabled',
};

/**
 * Moves each old key to its current place. If a key exists in both places, the first one in the file wins; lists are
 * concatenated.
 */
export function withoutFlatKeys(fields: Fields): Fields {
  // A map, because a copy for each key would take minutes for a file full of keys.
  const moved = new Map<string, unknown>();
  for (const [key, value] of Object.entries(fields)) {
    const place = isFlat(key, value) ? ownValue(FLAT_KEYS, key) : undefined;
    const added = place === undefined ? { [key]: value } : nested(place.split('.'), value);
    for (const [name, inner] of Object.entries(added)) moved.set(name, mergedValue(moved.get(name), inner));
  }
  return Object.fromEntries(moved);
}

/** `model` is an object today; it used to be a name. */
function isFlat(key: string, value: unknown): boolean {
  return Object.hasOwn(FLAT_KEYS, key) && !(key === 'model' && isObject(value));
}

/** A value as it is written, with its current key. */
export interface WrittenSetting {
  /** Such as `tools.exclude`. */
  readonly key: string;
  /** Such as `excludeTools`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** All values. Lists and empty objects count as values. */
export function writtenSettings(fields: Fields): readonly WrittenSetting[] {
  return leaves(fields).map(([path, value]) => {
    const [first = '', ...rest] = path;
    const place = isFlat(first, fields[first]) ? ownValue(FLAT_KEYS, first) : undefined;
    return { key: [place ?? first, ...rest].join('.'), path, value };
  });
}

function leaves(value: Fields, above: readonly string[] = []): [readonly string[], unknown][] {
  return Object.entries(value).flatMap(([name, each]): [readonly string[], unknown][] => {
    const path = [...above, name];
    const isBranch = isObject(each) && Object.keys(each).length > 0;
    return isBranch ? leaves(each, path) : [[path, each]];
  });
}

function nested([name = '', ...rest]: readonly string[], value: unknown): Fields {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

function mergedValue(there: unknown, value: unknown): unknown {
  if (isObject(there) && isObject(value)) {
    const all = new Map(Object.entries(there));
    for (const [name, inner] of Object.entries(value)) all.set(name, mergedValue(all.get(name), inner));
    return Object.fromEntries(all);
  }
  return Array.isArray(there) && Array.isArray(value) ? [...there, ...value] : (there ?? value);
}
