import * as l10n from '@vscode/l10n';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { OfServer, ServerResource } from './connection-types.ts';
import type { ResourceContent } from './given-content.ts';
import type { McpServers } from './mcp-servers.ts';

/** Longer than any healthy server takes. */
const READ_MS = 60_000;

/** The current content of a resource that the user attached. Rejects with a `ProblemError` if it can't be read. */
export async function attachedResource(
  servers: Pick<McpServers, 'resourceContent'>,
  resource: OfServer<ServerResource>,
  signal?: AbortSignal,
): Promise<ResourceContent> {
  const limit = AbortSignal.timeout(READ_MS);
  const stop = signal ? AbortSignal.any([signal, limit]) : limit;
  const answer = await servers.resourceContent(resource.server, resource.uri, stop);
  if ('value' in answer) return answer.value;
  throw new ProblemError({
    kind: 'not-found',
    title: l10n.t('{0} was not attached', resourceLabel(resource)),
    detail: answer.failed.message,
    actions: ['show-log'],
  });
}

/** A short label for people. */
export function resourceLabel({ title, name }: ServerResource): string {
  return (title ?? name).replace(/\s+/g, ' ').slice(0, 200);
}
