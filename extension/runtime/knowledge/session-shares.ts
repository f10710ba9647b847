import type { ContextShares } from '../../protocol/agent/context-shares.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { SessionCompaction } from '../compaction/session-compaction.ts';
import type { SessionModel } from '../model/session-model.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import type { SessionContext } from '../request/session-context.ts';
import { declarationOf } from '../request/to-adk-tool.ts';
import { contextShares } from './context-shares.ts';
import type { SessionKnowledge } from './session-knowledge.ts';

export interface SharesParts {
  readonly mode: SessionMode;
  readonly registry: ToolRegistry;
  readonly context: SessionContext;
  readonly journal: SessionJournal;
  readonly compaction: SessionCompaction;
  readonly model: SessionModel;
  readonly instruction: string;
  readonly knowledge: SessionKnowledge;
}

/** What fills the model's window in one session, by kind. */
export function sessionShares(parts: SharesParts): ContextShares {
  const { mode, registry, context, journal, compaction, model, instruction, knowledge } = parts;
  const ours = new Set(journal.history.events.filter(isNotice).map(({ content }) => content));
  const { contents, summaryLength } = compaction.now() ?? { contents: [], summaryLength: 0 };
  return contextShares(context.use().used, {
    contents,
    summaryLength,
    isOurs: (content) => ours.has(content),
    config: {
      systemInstruction: instruction,
      tools: [{ functionDeclarations: registry.offered(mode.opened, mode.mode()).map(declarationOf) }],
    },
    memory: knowledge.memory.loaded().reduce((sum, { tokens }) => sum + tokens, 0),
    model: model.current,
    ...context.shortened(),
  });
}
