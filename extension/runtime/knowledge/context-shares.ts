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
import { isEnvironment } from './session-environment.ts';
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

/** The content of one session's context window, by kind. */
export function sessionShares(parts: SharesParts): ContextShares {
  const { mode, registry, context, journal, compaction, model, instruction, knowledge } = parts;
  const ours = new Map<Content | undefined, 'environment' | 'instructions'>(
    journal.history.events
      .filter(isNotice)
      .map((event) => [event.content, isEnvironment(event) ? 'environment' : 'instructions']),
  );
  const { contents, summaryLength } = compaction.now() ?? { contents: [], summaryLength: 0 };
  return contextShares(context.use().used, {
    contents,
    summaryLength,
    ownKind: (content) => ours.get(content),
    config: {
      systemInstruction: instruction,
      tools: [{ functionDeclarations: registry.offered(mode.opened, mode.mode()).map(declarationOf) }],
    },
    memory: knowledge.memory.lasting().reduce((sum, { tokens }) => sum + tokens, 0),
    model: model.current,
    ...context.shortened(),
  });
}

/** A request as it would be sent now. */
export interface SentContext {
  readonly contents: readonly Content[];
  /** The number of leading contents that replace the summarized part. */
  readonly summaryLength: number;
  /** The kind of a notice by Gantry; undefined for other contents. */
  readonly ownKind: (content: Content) => 'environment' | 'instructions' | undefined;
  readonly config: Pick<GenerateContentConfig, 'systemInstruction' | 'tools'>;
  /** The tokens of the instruction that come from instruction files. */
  readonly memory: number;
  readonly model: string;
  /** The tokens that masking saves by replacing old tool outputs. */
  readonly masked: number;
  /** The number of pictures and documents, oldest first, that are no longer sent. */
  readonly leftOut: number;
}

type Estimates = Record<ContextKind, number>;

/**
 * The content of the context window, by kind: each part is estimated, and the sum is scaled to the known usage. It
 * reads everything that would be sent, so it is computed on request and not for every turn.
 */
export function contextShares(used: number, sent: SentContext): ContextShares {
  return scaledTo(used, estimates(sent));
}

function estimates(sent: SentContext): Estimates {
  const { contents, summaryLength, ownKind, config, model, masked } = sent;
  const { systemInstruction, tools } = config;
  const sizes: Estimates = {
    instructions: 0,
    memory: 0,
    environment: 0,
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
      // The message that the work is about comes verbatim before its snapshot.
      const isSummary = at < summaryLength && index === parts.length - 1;
      const kind = isSummary ? 'summary' : (ownKind(content) ?? kindOf(part, content.role));
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

/** Scales to whole tokens that add up to `used`: the largest share gets the rounding difference. */
function scaledTo(used: number, sizes: Estimates): ContextShares {
  const sum = CONTEXT_KINDS.reduce((total, kind) => total + sizes[kind], 0);
  if (sum === 0 || used <= 0) return [];
  const shares = CONTEXT_KINDS.map((kind) => ({ kind, tokens: Math.floor((sizes[kind] * used) / sum) }));
  const left = used - shares.reduce((total, { tokens }) => total + tokens, 0);
  const largest = shares.reduce((most, share) => (share.tokens > most.tokens ? share : most));
  largest.tokens += left;
  return shares.filter(({ tokens }) => tokens > 0);
}
