import { VARIABLE_PLACES } from '../../mcp/expand-variables.ts';
import type { YamlPath } from '../front-matter/yaml-cursor.ts';

/** The fields of a login whose values may be variables. Others are sent as they are written. */
const SECRETS: ReadonlySet<string | number> = new Set([
  'key',
  'token',
  'username',
  'password',
  'value',
  'client_id',
  'client_secret',
]);

/** What a text of an agent's front matter can refer to. */
export type VariableKind =
  /** The whole text: `$NAME`. */
  | 'secret'
  /** Any part of it, as in settings: `$NAME`, `${NAME}`, `${NAME:-default}`. */
  | 'server';

/** Undefined if variables have no meaning in a text at this path. */
export function variableKind(path: YamlPath): VariableKind | undefined {
  const [first, ...rest] = path.filter((step) => typeof step === 'string');
  if (first === 'auth') return rest.length === 1 && SECRETS.has(rest[0] ?? '') ? 'secret' : undefined;
  return first === 'mcp_servers' && rest.length > 1 && !NOT_EXPANDED.has(rest[1] ?? '') ? 'server' : undefined;
}

/** Fields of a server that are taken as they are written. */
const NOT_EXPANDED: ReadonlySet<string> = new Set(['description', 'include_tools', 'exclude_tools', 'type', 'auth']);

const NAME = /^[A-Za-z_]\w*$/;
const WITHOUT_DEFAULT = /\$(?:([A-Za-z_]\w*)|\{(?:env:)?([A-Za-z_]\w*)\})/g;
/** The first variable in a text that isn't set. */
export function unsetVariable(path: YamlPath, text: string, set: ReadonlySet<string>): string | undefined {
  const kind = variableKind(path);
  if (kind === 'secret') {
    const name = text.startsWith('$') && !text.startsWith('$$') ? text.slice(1) : undefined;
    return name !== undefined && NAME.test(name) && !set.has(name) ? name : undefined;
  }
  if (kind === undefined) return undefined;
  const names = [...text.matchAll(WITHOUT_DEFAULT)].map(([, plain, braced]) => plain ?? braced ?? '');
  return names.find((name) => !set.has(name) && !VARIABLE_PLACES.has(name));
}
