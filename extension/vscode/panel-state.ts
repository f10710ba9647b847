import { describeModel } from '../model/describe-model.ts';
import type { PanelState } from '../protocol/panel-messages.ts';
import type { Host } from '../runtime/host.ts';
import type { PanelSession } from './panel-session.ts';

/** What the panel shows around the conversation. */
export async function panelState(session: PanelSession, host: Host): Promise<PanelState> {
  const model = await describeModel(host);
  const { startedAt, heldBy, trustNews } = session;
  return {
    title: session.title || 'New session',
    running: startedAt !== undefined,
    ...(startedAt !== undefined && { startedAt }),
    model: (model.offline ? undefined : session.chosenModel) ?? model.label,
    offline: model.offline,
    approvalMode: session.approvalMode,
    ...(heldBy !== undefined && { heldBy }),
    canUndoRewind: session.rewind?.canUndo ?? false,
    readOnly: !host.workspace.isTrusted(),
    hasFolder: host.workspace.roots().length > 0,
    ...(trustNews && { trustNews }),
  };
}
