import * as l10n from '@vscode/l10n';
import type { AgentProtocol, AgentSend } from '../protocol/agent/agent-protocol.ts';
import { AgentSession } from '../protocol/agent/agent-session.ts';
import type { GantryApi } from '../protocol/agent/gantry-api.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { RuntimeLoader } from './runtime-loader.ts';

/**
 * Uses the same service as the panel, so the same tools, gates and trust apply. Only the user can turn on yolo mode.
 * Options are copied before they are checked, because the other extension could change its own objects while the user
 * is asked.
 */
export function publicApi(
  version: string,
  runtime: Pick<RuntimeLoader, 'load'>,
  confirmYolo: (why: string) => Promise<boolean>,
  /** Keeps the session open when the panel has shown it and switches to another. */
  keepOpen: (session: AgentSession) => void,
): GantryApi {
  const given = new WeakMap<AgentSession, AgentSession>();
  const mayHave = async (mode: unknown): Promise<void> => {
    if (mode === 'yolo' && !(await confirmYolo(l10n.t('Another extension requested this.'))))
      throw new ProblemError(NOT_ALLOWED);
  };
  const giveOut = (session: AgentSession): AgentSession => {
    const known = given.get(session) ?? new AgentSession(asApi(session, mayHave));
    given.set(session, known);
    return known;
  };
  return {
    version,
    createSession: async (given) => {
      const options = structuredClone(given);
      await mayHave(options?.approvalMode);
      const session = await (await runtime.load()).createSession(options);
      keepOpen(session);
      return giveOut(session);
    },
    resumeSession: async (id) => giveOut(await (await runtime.load()).resumeSession(id)),
  };
}

/** Marks answers as coming from another extension, whatever they claim, to tell them apart from the user's own. */
function asApi(session: AgentSession, mayHave: (mode: unknown) => Promise<void>): AgentProtocol {
  return {
    id: session.id,
    send: async (given) => {
      const payload = structuredClone(given);
      if ('update' in payload) await mayHave(payload.update.config?.['approvalMode']);
      return session.send(fromApi(payload));
    },
    subscribe: (listener) => session.subscribe(listener),
    abort: () => session.abort(),
    get events() {
      return session.events;
    },
  };
}

function fromApi(payload: AgentSend): AgentSend {
  return 'elicitations' in payload ? { ...payload, _meta: { ...payload._meta, source: 'api' } } : payload;
}

const NOT_ALLOWED = {
  kind: 'bad-input',
  title: 'The mode was not changed',
  detail: 'The user did not allow everything to run without approval. Use another mode.',
  actions: [],
} as const;
