import { basename, dirname, join } from 'node:path';
import { FLAT_KEYS } from '../../gemini-config/flat-keys.ts';
import type { LayerName } from '../../gemini-config/gemini-settings.ts';
import type { HookFile } from '../../hooks/read-hooks.ts';
import type { ServerFile } from '../../mcp/read-servers.ts';
import type { ExtensionFolder } from '../../ports/extension-folder.ts';
import type { JsonPath } from '../../text/json-tree.ts';
import type { JsonKind } from '../document-kind.ts';
import type { SchemaKind } from './config-schemas.ts';

/** What the runtime reads from a JSON file. */
export interface JsonSource {
  readonly path: string;
  readonly kind: SchemaKind;
  /** The file that it is for hooks. Undefined if hooks are not read from it. */
  readonly hooks?: HookFile;
  readonly servers?: ServerFile;
  /** For the settings of Gemini CLI. */
  readonly layer?: LayerName;
  /** For the files of an extension. */
  readonly extension?: ExtensionFolder;
  /** The folder in which programs of the file run, if there is one. */
  readonly folder: string | undefined;
}

export function jsonSource(kind: JsonKind, path: string, root: string | undefined): JsonSource {
  switch (kind.kind) {
    case 'settings':
      return settingsSource(path, kind.layer, root);
    case 'servers': {
      const { scope } = kind;
      if (scope === 'user') return { path, kind: 'servers', folder: root, servers: { path, scope, key: 'servers' } };
      const folder = dirname(dirname(path));
      return { path, kind: 'servers', folder, servers: { path, scope, key: 'servers', root: folder } };
    }
    case 'extension': {
      const extension = extensionAt(dirname(path));
      const servers = { path, scope: 'extension', key: 'mcpServers', extension } as const;
      return { path, kind: 'extension', folder: root, servers, extension };
    }
    case 'hooks': {
      const extension = extensionAt(dirname(dirname(path)));
      return {
        path,
        kind: 'hooks',
        folder: root,
        hooks: { path, source: 'extension', extension: { ...extension, root } },
      };
    }
  }
}

function settingsSource(path: string, layer: LayerName, root: string | undefined): JsonSource {
  const settings = { path, kind: 'settings', layer } as const;
  if (layer === 'defaults') return { ...settings, folder: root };
  const hooks = { path, source: layer };
  const servers = { path, scope: layer, key: 'mcpServers' } as const;
  if (layer !== 'project') return { ...settings, hooks, servers, folder: root };
  const folder = dirname(dirname(path));
  return { ...settings, hooks, servers: { ...servers, root: folder }, folder };
}

/** Its manifest isn't read: what matters here is only where the extension is. */
function extensionAt(folder: string): ExtensionFolder {
  return { name: basename(folder), folder, manifest: join(folder, 'gemini-extension.json'), contextFiles: [] };
}

/** The path as it would be in the settings: other files and old settings have some of them in other places. */
export function settingPathOf({ kind }: Pick<JsonSource, 'kind'>, path: JsonPath): JsonPath {
  const [first, ...rest] = path;
  if (kind === 'servers' && first === 'servers') return ['mcpServers', ...rest];
  const place = typeof first === 'string' && Object.hasOwn(FLAT_KEYS, first) ? FLAT_KEYS[first] : undefined;
  if (place === undefined || (first === 'model' && rest.length > 0)) return path;
  return [...place.split('.'), ...rest];
}
