import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { FileText } from '../gemini-config/settings-files.ts';
import { sandboxClause } from '../policy/sandbox-clause.ts';
import { type ExtensionFolder, expandForExtension } from '../ports/extension-folder.ts';
import { isOwnKey } from '../processes/shell/clean-environment.ts';
import type { JsonPath } from '../text/json-tree.ts';
import { ignoredText, JsonPlaces, type ProblemPlace, readJson } from '../text/json-with-comments.ts';
import { namedVariables, unknownVariable } from './expand-variables.ts';
import {
  isOwnServer,
  type McpProblem,
  type McpServerDefinition,
  mapReach,
  type ServerLogin,
  type ServerOrigin,
  type ServerReach,
} from './server-definition.ts';

/** A file that defines servers, or the setting that does. */
export interface ServerFile {
  /** Absolute, or the name of the setting. */
  readonly path: string;
  readonly scope: ServerOrigin['scope'];
  /** The key that contains the servers: `mcpServers` in Gemini CLI's files, `servers` in VS Code's. */
  readonly key: 'mcpServers' | 'servers';
  /** The folder that contains the file. */
  readonly root?: string;
  /** The extension whose manifest this is. */
  readonly extension?: ExtensionFolder;
}

export interface ReadServers {
  readonly servers: readonly McpServerDefinition[];
  /** The names of the only servers that may be used. Undefined if the file has no such list. */
  readonly allowed?: readonly string[];
  readonly excluded: readonly string[];
  /** The names of servers that are defined but not used, if there are any. */
  readonly disabled?: readonly string[];
  readonly problems: readonly McpProblem[];
  /** The file is unreadable, so its definitions are unknown. */
  readonly unreadable?: boolean;
}

export const NO_SERVERS: ReadServers = { servers: [], excluded: [], problems: [] };

/** Gemini CLI's default. */
const DEFAULT_TIMEOUT = 600_000;
/** A longer timeout is a mistake, and Node treats a very long one as none. */
const MAX_TIMEOUT = 3_600_000;
const MAX_NAME = 64;

/** The servers of a file that may be missing or unreadable. */
export function serversIn(content: FileText | undefined, file: ServerFile): ReadServers {
  if (!content) return NO_SERVERS;
  if ('text' in content) return readServers(content.text, file);
  const text = l10n.t('MCP servers could not be read: {0}.', content.problem);
  return { ...NO_SERVERS, problems: [{ file: file.path, line: 1, text }], unreadable: true };
}

const root = once(() => z.looseObject({ mcp: z.unknown().optional() }));
export const serverLists = once(() =>
  z.looseObject({
    allowed: z.array(z.string()).optional(),
    excluded: z.array(z.string()).optional(),
  }),
);
export const writtenServer = once(() =>
  z.looseObject({
    type: z.enum(['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp']).optional(),
    command: z.string().regex(/\S/, 'it is empty').trim().optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
    cwd: z.string().min(1).optional(),
    url: z.string().optional(),
    httpUrl: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    timeout: z.number().positive().optional(),
    trust: z.boolean().optional(),
    disabled: z.boolean().optional(),
    description: z.string().optional(),
    includeTools: z.array(z.string()).optional(),
    excludeTools: z.array(z.string()).optional(),
    sandbox: sandboxClause().optional(),
    oauth: z
      .looseObject({
        clientId: z.string().optional(),
        clientSecret: z.string().optional(),
        scopes: z.array(z.string()).optional(),
      })
      .optional(),
  }),
);
type Written = z.infer<ReturnType<typeof writtenServer>>;

/** The servers that a file defines. Invalid entries are reported and ignored. */
export function readServers(text: string, file: ServerFile, json = readJson(text)): ReadServers {
  if (!('problem' in json)) return new ServerReader(file, json.places).read(json.value);
  const { problem: why, ...place } = json;
  const problem = { file: file.path, ...place, text: l10n.t('The file is not valid JSON: {0}.', why), damaged: true };
  return { ...NO_SERVERS, problems: [problem], unreadable: true };
}

/** The servers of a setting, which lists them by name. `places` says where they are written. */
export function readServerSetting(
  value: unknown,
  file: ServerFile,
  places = new JsonPlaces('', undefined),
): ReadServers {
  return new ServerReader(file, places).read({ [file.key]: value });
}

class ServerReader {
  private readonly problems: McpProblem[] = [];
  private readonly disabled: string[] = [];

  constructor(
    private readonly file: ServerFile,
    private readonly places: JsonPlaces,
  ) {}

  read(value: unknown): ReadServers {
    const { key } = this.file;
    const all = this.shaped(root(), value, l10n.t('Everything'), []) ?? {};
    const named = this.shaped(z.record(z.string(), z.unknown()).optional(), all[key], `"${key}"`, [key]) ?? {};
    // An extension can't decide which servers of others are used.
    const { allowed, excluded = [] } =
      key === 'mcpServers' && !this.file.extension
        ? (this.shaped(serverLists().optional(), all.mcp, '"mcp"', ['mcp']) ?? {})
        : {};
    const servers = Object.entries(named).flatMap(([name, entry]) => this.serverIn(name, entry, [key, name]));
    const { disabled, problems } = this;
    const names = { ...(allowed && { allowed }), excluded, ...(disabled.length > 0 && { disabled }) };
    return { servers, ...names, problems };
  }

  private serverIn(name: string, value: unknown, path: JsonPath): McpServerDefinition[] {
    const what = `"${this.file.key}.${name}"`;
    const written = this.shaped(writtenServer(), value, what, path);
    if (written?.disabled) this.disabled.push(name);
    if (!written || written.disabled) return [];
    const badName = serverNameFault(name);
    if (badName !== undefined) return this.ignore(path, what, badName);
    const foreign = notOurs(written);
    if (foreign) return this.ignore([...path, ...foreign.path], what, foreign.wrong);
    const reach = reachOf(written);
    if ('wrong' in reach) return this.ignore([...path, ...reach.path], what, reach.wrong);
    return [this.definition(name, written, reach, path)];
  }

  private definition(name: string, written: Written, reach: ServerReach, at: JsonPath): McpServerDefinition {
    const { description, includeTools, excludeTools = [], timeout = DEFAULT_TIMEOUT, oauth, sandbox } = written;
    const { path, scope, root: folder, extension } = this.file;
    const isOwned = isOwnServer(this.file);
    if (written.trust && !isOwned) {
      this.report(
        this.places.problemAt([...at, 'trust'], { of: 'key' }),
        l10n.t('"trust" of "{0}" is ignored: only your own settings can set it.', name),
      );
    }
    const key = scope === 'project' ? namedVariables(JSON.stringify(reach)).find(isOwnKey) : undefined;
    if (key !== undefined) {
      this.report(
        this.places.problemAt([...at, ...(pathOfText(written, (text) => namedVariables(text).includes(key)) ?? [])]),
        l10n.t('"{0}" does not get {1}: a project\'s servers never get Gantry\'s own keys.', name, `$${key}`),
      );
    }
    return {
      name,
      // Other variables are expanded when the server is started.
      reach: extension ? mapReach(reach, (text) => expandForExtension(text, extension, undefined)) : reach,
      timeoutMs: Math.min(Math.ceil(timeout), MAX_TIMEOUT),
      trust: isOwned && written.trust === true,
      ...(description !== undefined && { description }),
      ...(includeTools && { includeTools }),
      excludeTools,
      ...(oauth && { login: loginOf(oauth) }),
      ...(sandbox !== undefined && { sandbox }),
      origin: {
        file: path,
        line: this.places.lineOf(at),
        scope,
        ...(folder !== undefined && { root: folder }),
        ...(extension && { extension: extension.name }),
      },
    };
  }

  private ignore(path: JsonPath, what: string, reason: string): [] {
    this.report(this.places.problemAt(path), l10n.t('{0} is ignored: {1}.', what, reason));
    return [];
  }

  /** The parsed value, or undefined after reporting a problem. */
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

/** Why this can't be the name of a server, as a clause. */
export function serverNameFault(name: string): string | undefined {
  if (name.trim() === '' || name === '*') return l10n.t('a server needs a name');
  if (name.length > MAX_NAME) return l10n.t('its name is longer than {0} characters', MAX_NAME);
  // Such names would be indistinguishable where people approve them.
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? l10n.t('its name has invisible characters') : undefined;
}

interface Wrong {
  readonly wrong: string;
  /** Where, in the server. */
  readonly path: JsonPath;
}

/** Finds options for other programs. Without them, the server would not be the intended one. */
function notOurs(written: Written): Wrong | undefined {
  const asks = unknownVariable(JSON.stringify(written));
  if (asks !== undefined) {
    const path = pathOfText(written, (text) => text.includes(asks)) ?? [];
    return { wrong: l10n.t('Gantry does not know {0}', asks), path };
  }
  const key = ['tcp', 'envFile', 'authProviderType'].find((name) => written[name] !== undefined);
  return key === undefined ? undefined : { wrong: l10n.t('Gantry does not know "{0}"', key), path: [key] };
}

/** The place of the first text for which this is true. */
function pathOfText(value: unknown, isMeant: (text: string) => boolean): JsonPath | undefined {
  if (typeof value === 'string') return isMeant(value) ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const below = pathOfText(inner, isMeant);
    if (below) return [key, ...below];
  }
  return undefined;
}

function reachOf(written: Written): ServerReach | Wrong {
  const { command, args = [], env = {}, cwd, url, httpUrl, headers = {}, type } = written;
  const ways = [command, url, httpUrl].filter((way) => way !== undefined);
  if (ways.length !== 1) return { wrong: l10n.t('it needs one of "command", "url" and "httpUrl"'), path: [] };
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio')
      return { wrong: l10n.t('"type" cannot be combined with "command"'), path: ['type'] };
    return { kind: 'stdio', command, args, env: textsIn(env), ...(cwd !== undefined && { cwd }) };
  }
  if (type === 'stdio') return { wrong: l10n.t('"type" cannot be combined with a URL'), path: ['type'] };
  const address = httpUrl ?? url ?? '';
  if (!/^(https?:\/\/|\$)/i.test(address))
    return {
      wrong: l10n.t('its URL must start with http or https'),
      path: [httpUrl === undefined ? 'url' : 'httpUrl'],
    };
  return { kind: kindOf(type, httpUrl !== undefined), url: address, headers };
}

function kindOf(type: Written['type'], isHttpUrl: boolean): 'http' | 'sse' | 'url' {
  if (type === undefined) return isHttpUrl ? 'http' : 'url';
  return type === 'sse' ? 'sse' : 'http';
}

/** VS Code treats null as "not set". */
function textsIn(env: NonNullable<Written['env']>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === null ? [] : [[key, `${value}`]])));
}

function loginOf({ clientId, clientSecret, scopes }: NonNullable<Written['oauth']>): ServerLogin {
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes && { scopes }),
  };
}
