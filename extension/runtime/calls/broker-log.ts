import type { BrokerLog } from '../../scheduler/confirmation-broker.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';

/** Records the questions of a session and their answers. */
export function brokerLog(journal: SessionJournal): BrokerLog {
  return {
    asked: (requestId, { callId, title, message, schema, request, modelChoice }) =>
      journal.append({
        type: 'asked',
        requestId,
        ...(callId !== undefined && { callId }),
        title,
        message,
        schema: { ...schema },
        ...(request && { request }),
        ...(modelChoice && { modelChoice }),
      }),
    answered: ({ requestId, action, content }, by) =>
      journal.append({ type: 'answered', requestId, action, content: { ...content }, by }),
  };
}
