import type { Problem } from '../../../protocol/agent/problem.ts';
import type { PanelSession } from '../../session/panel-session.ts';

/** The session shown, or the one that the next message goes to: nothing was said in it, and it has an id already. */
export async function openSession(
  session: PanelSession,
): Promise<{ readonly id: string } | { readonly refused: Problem }> {
  let id = '';
  const refused = await session.attempt(async (opened, service) => {
    id = service.idOf(opened);
  });
  return refused ? { refused } : { id };
}
