import * as l10n from '@vscode/l10n';
import type { ReadServers } from './read-servers.ts';
import type { McpProblem, McpServerDefinition } from './server-definition.ts';

export interface MergedServers {
  readonly servers: readonly McpServerDefinition[];
  /** Whether the lists of the files allow a server, even if no file defines it. */
  readonly mayBeUsed: (name: string) => boolean;
  readonly problems: readonly McpProblem[];
}

/**
 * Keeps one server per name; the first file that has the name defines it. Rules name servers, so the user's files must
 * come before those of a project: a rule that allows something for the user's server must not apply to another server
 * of the same name.
 */
export function mergeServers(files: readonly ReadServers[]): MergedServers {
  const byName = new Map<string, McpServerDefinition>();
  const problems: McpProblem[] = [];
  const excluded = new Set(files.flatMap((file) => file.excluded));
  const mayBeUsed = (name: string): boolean =>
    !excluded.has(name) && files.every(({ allowed }) => allowed?.includes(name) ?? true);
  for (const server of files.flatMap((file) => file.servers)) {
    const first = byName.get(server.name);
    if (!first) byName.set(server.name, server);
    else {
      problems.push(nameIsTaken(server, first));
      // As in Gemini CLI, a tool that either of them omits is omitted.
      if (server.origin.scope === 'extension') byName.set(server.name, narrowed(first, server));
    }
  }
  return { servers: [...byName.values()].filter(({ name }) => mayBeUsed(name)), mayBeUsed, problems };
}

function narrowed(
  first: McpServerDefinition,
  { includeTools, excludeTools }: McpServerDefinition,
): McpServerDefinition {
  const included =
    first.includeTools && includeTools
      ? first.includeTools.filter((tool) => includeTools.includes(tool))
      : (first.includeTools ?? includeTools);
  return {
    ...first,
    ...(included && { includeTools: included }),
    excludeTools: [...new Set([...first.excludeTools, ...excludeTools])],
  };
}

function nameIsTaken({ name, origin }: McpServerDefinition, first: McpServerDefinition): McpProblem {
  const place = `${first.origin.file}:${first.origin.line}`;
  const text = l10n.t('The server "{0}" is ignored: {1} has a server with the same name.', name, place);
  return { file: origin.file, line: origin.line, text };
}
