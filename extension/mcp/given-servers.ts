import * as l10n from '@vscode/l10n';
import type { WorkspacePort } from '../ports/workspace.ts';
import type { ReadServers } from './read-servers.ts';
import type { ConfiguredServer, ServerSource } from './server-catalog.ts';
import { type McpProblem, type McpServerDefinition, serverHash } from './server-definition.ts';

/** Servers of something that the user has approved as a whole, so they require no separate approval. */
export class GivenServers implements ServerSource {
  private readonly given: readonly ConfiguredServer[];
  private readonly found: readonly McpProblem[];

  /** `whyNotNamed` checks a name against the servers of the window. */
  constructor(
    { servers, problems }: ReadServers,
    private readonly workspace: Pick<WorkspacePort, 'isTrusted'>,
    readonly whyNotNamed: ServerSource['whyNotNamed'],
  ) {
    this.given = servers
      .filter(({ name }) => whyNotNamed(name) === undefined)
      .map((server) => ({ ...server, hash: serverHash(server), waits: false }));
    const refused = servers.flatMap((server) => {
      const why = whyNotNamed(server.name);
      return why === undefined ? [] : [ignoredServer(server, why)];
    });
    this.found = [...problems, ...refused];
  }

  get isTrusted(): boolean {
    return this.workspace.isTrusted();
  }

  get servers(): readonly ConfiguredServer[] {
    return this.isTrusted ? this.given : [];
  }

  get problems(): readonly McpProblem[] {
    return this.isTrusted ? this.found : [];
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve(this.servers.map(({ name }) => name));
  }

  accept(): Promise<void> {
    return Promise.resolve();
  }

  isAsApproved(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

function ignoredServer({ name, origin: { file, line } }: McpServerDefinition, why: string): McpProblem {
  return { file, line, text: l10n.t('The server "{0}" is ignored: {1}.', name, why) };
}
