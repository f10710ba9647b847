import type { Content, GenerateContentConfig, Part } from '@google/genai';
import { configTokens, partTokens } from '../../context/token-estimate.ts';
import { mediaRuleOf } from '../../context/tokens/media-tokens.ts';
import { CONTEXT_KINDS, type ContextKind, type ContextShares } from '../../protocol/agent/context-shares.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { SessionCompaction } from '../compaction/session-compaction.ts';
import { isAttachedText } from '../message/reference-text.ts';
import type { SessionModel } from '../model/session-model.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import type { SessionContext } from '../request/session-context.ts';
import { declarationOf } from '../request/to-adk-tool.ts';
import type { SessionKnowledge } from './session-knowledge.ts';

interface SharesParts {
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

/** A request as it would be sent now. */
export interface SentContext {
  readonly contents: readonly Content[];
  /** How many of the contents replace what was summarized. */
  readonly summaryLength: number;
  /** What Gantry itself tells the model between messages. */
  readonly isOurs: (content: Content) => boolean;
  readonly config: Pick<GenerateContentConfig, 'systemInstruction' | 'tools'>;
  /** How many tokens of the instruction are from files with instructions. */
  readonly memory: number;
  readonly model: string;
  /** How many tokens fewer the tool outputs are, because old ones are in files. */
  readonly masked: number;
  /** How many pictures and documents, the oldest first, are not sent any more. */
  readonly leftOut: number;
}

type Estimates = Record<ContextKind, number>;

/**
 * What fills the window, by kind: estimated part by part, and scaled to what is known to be in use. It looks at all that
 * would be sent, so it is for somebody who asks, and not for every turn.
 */
export function contextShares(used: number, sent: SentContext): ContextShares {
  return scaledTo(used, estimates(sent));
}

function estimates(sent: SentContext): Estimates {
  const { contents, summaryLength, isOurs, config, model, masked } = sent;
  const { systemInstruction, tools } = config;
  const sizes: Estimates = {
    instructions: 0,
    memory: 0,
    tools: 0,
    summary: 0,
    attachments: 0,
    messages: 0,
    answers: 0,
    results: 0,
  };
  const instruction = configTokens({ ...(systemInstruction !== undefined && { systemInstruction }) });
  sizes.memory = Math.min(sent.memory, instruction);
  sizes.instructions += instruction - sizes.memory;
  sizes.tools += configTokens({ ...(tools && { tools }) });
  const rule = mediaRuleOf(model);
  let leftOut = sent.leftOut;
  for (const [at, content] of contents.entries()) {
    const { parts = [] } = content;
    for (const [index, part] of parts.entries()) {
      if (isMedia(part) && leftOut-- > 0) continue;
      // The message that the work is about goes before its snapshot, word for word.
      const isSummary = at < summaryLength && index === parts.length - 1;
      const kind = isSummary ? 'summary' : isOurs(content) ? 'instructions' : kindOf(part, content.role);
      sizes[kind] += partTokens(part, rule);
    }
  }
  sizes.results = Math.max(0, sizes.results - masked);
  return sizes;
}

function kindOf(part: Part, role: string | undefined): ContextKind {
  if (part.functionResponse) return 'results';
  if (role === 'model') return 'answers';
  if (isMedia(part) || isAttachedText(part.text ?? '')) return 'attachments';
  return 'messages';
}

function isMedia({ inlineData, fileData }: Part): boolean {
  return inlineData !== undefined || fileData !== undefined;
}

/** In whole tokens that add up: what rounding leaves over goes to the largest. */
function scaledTo(used: number, sizes: Estimates): ContextShares {
  const sum = CONTEXT_KINDS.reduce((total, kind) => total + sizes[kind], 0);
  if (sum === 0 || used <= 0) return [];
  const shares = CONTEXT_KINDS.map((kind) => ({ kind, tokens: Math.floor((sizes[kind] * used) / sum) }));
  const left = used - shares.reduce((total, { tokens }) => total + tokens, 0);
  const largest = shares.reduce((most, share) => (share.tokens > most.tokens ? share : most));
  largest.tokens += left;
  return shares.filter(({ tokens }) => tokens > 0);
}
