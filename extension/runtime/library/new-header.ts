import { randomUUID } from 'node:crypto';
import { canonicalFolder } from '../../files/real-path.ts';
import type { Host } from '../../ports/host.ts';
import { LOG_VERSION, type SessionHeader } from '../../sessions/session-record.ts';

/** The first line of a new session's log. */
export function newHeader({ workspace, clock }: Host, { parent }: Pick<SessionHeader, 'parent'> = {}): SessionHeader {
  const [root] = workspace.roots();
  return {
    type: 'session',
    at: new Date(clock.now()).toISOString(),
    version: LOG_VERSION,
    id: randomUUID(),
    workspace: root === undefined ? '' : canonicalFolder(root),
    ...(parent && { parent: { ...parent } }),
  };
}
