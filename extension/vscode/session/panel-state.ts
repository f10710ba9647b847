import * as l10n from '@vscode/l10n';
import { describeModel } from '../../model/catalog/describe-model.ts';
import { DEFAULT_WINDOW } from '../../model/catalog/known-models.ts';
import type { Host } from '../../ports/host.ts';
import type { TodoItem } from '../../protocol/agent/todo-list.ts';
import type { PanelState } from '../../protocol/panel/panel-messages.ts';
import type { OpenSession } from '../../runtime/open-session.ts';
import { thinkingWay } from '../settings.ts';

/** The context usage before there is a session. */
const NOTHING_USED: PanelState['context'] = { used: 0, window: DEFAULT_WINDOW, masked: 0, leftOut: 0 };

type OpenPart = Pick<OpenSession, 'chosenModel' | 'contextUse' | 'whyNotCompress'> & {
  readonly rewind: Pick<OpenSession['rewind'], 'canUndo'>;
};

/** The session shown, or the one that the next message begins. */
interface ShownSession {
  readonly id: string | undefined;
  readonly title: string;
  readonly startedAt: number | undefined;
  readonly isRunning: boolean;
  readonly isCompacting: boolean;
  readonly hasConversation: boolean;
  readonly approvalMode: PanelState['approvalMode'];
  readonly heldBy: string | undefined;
  readonly open: OpenPart | undefined;
  readonly spent: PanelState['spent'] | undefined;
  readonly todos: readonly TodoItem[];
  readonly terminals: readonly string[];
  readonly trustNews: PanelState['trustNews'];
  readonly background: { elsewhere(shown: string | undefined): PanelState['elsewhere'] };
}

/** The state that the panel shows around the conversation. */
export async function panelState(session: ShownSession, host: Host): Promise<PanelState> {
  const model = await describeModel(host);
  const { startedAt, heldBy, trustNews, todos } = session;
  const elsewhere = session.background.elsewhere(session.id);
  return {
    title: session.title || l10n.t('New session'),
    running: startedAt !== undefined,
    ...(startedAt !== undefined && { startedAt }),
    ...(session.isCompacting && { compacting: true }),
    model: (model.offline ? undefined : session.open?.chosenModel) ?? model.label,
    ...(model.method !== undefined && { method: model.method }),
    offline: model.offline,
    ...(host.settings.authMethod() === 'offline' && { offlineBySetting: true }),
    approvalMode: session.approvalMode,
    thinking: thinkingWay(),
    ...(heldBy !== undefined && { heldBy }),
    context: session.open?.contextUse ?? NOTHING_USED,
    compression: { at: host.settings.compressionThreshold(), ...cannotCompress(session, model.offline) },
    spent: session.spent ?? { input: 0, output: 0 },
    ...(elsewhere && { elsewhere }),
    canUndoRewind: session.open?.rewind.canUndo ?? false,
    readOnly: !host.workspace.isTrusted(),
    hasFolder: host.workspace.roots().length > 0,
    ...(todos.length > 0 && { todos: [...todos] }),
    ...(session.terminals.length > 0 && { terminals: [...session.terminals] }),
    ...(trustNews && { trustNews }),
  };
}

function cannotCompress(session: ShownSession, offline: boolean): { readonly cannot?: string } {
  if (!session.hasConversation) return { cannot: l10n.t('There are no messages yet.') };
  if (session.heldBy !== undefined) return { cannot: l10n.t('Another window has this session open.') };
  if (session.isRunning) return { cannot: l10n.t('Gantry is working. Stop it, or wait until it is done.') };
  if (offline) return { cannot: l10n.t('A model must write the summary, but none is connected.') };
  const cannot = session.open?.whyNotCompress;
  return cannot === undefined ? {} : { cannot };
}
