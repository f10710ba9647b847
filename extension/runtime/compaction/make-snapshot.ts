import type { Content } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { unlessAborted } from '../../base/abort.ts';
import {
  CRITIQUE,
  FIRST_ASK,
  NEXT_ASK,
  PLAN_RULE,
  SNAPSHOT_INSTRUCTION,
} from '../../context/compaction/snapshot-prompts.ts';
import { compressionAliasFor } from '../../model/catalog/built-in-configs.ts';
import type { UtilityModel } from '../../model/utility-model.ts';
import { historyAsGiven } from '../request/outgoing-contents.ts';

export interface Summarised {
  /** The part of the conversation that the snapshot will replace, prepared by `summaryInput`. */
  readonly contents: readonly Content[];
  /** Whether it begins with an earlier snapshot. */
  readonly hasSummary: boolean;
  readonly hasPlan: boolean;
  /** The model of the conversation. */
  readonly model: string;
}

/** A model needs a while to read half a million tokens, and it thinks before it writes. */
const TIMEOUT_MS = 180_000;

/** Asks for a snapshot, then for a critical check of it. Returns undefined if there is no usable snapshot. */
export async function makeSnapshot(
  utility: UtilityModel,
  { contents, hasSummary, hasPlan, model }: Summarised,
  signal: AbortSignal,
): Promise<string | undefined> {
  const instruction = hasPlan ? `${SNAPSHOT_INSTRUCTION}\n\n${PLAN_RULE}` : SNAPSHOT_INSTRUCTION;
  const ask = async (purpose: string, asked: readonly Content[]): Promise<string> => {
    const call = { alias: compressionAliasFor(model), purpose, instruction, contents: asked, timeoutMs: TIMEOUT_MS };
    signal.throwIfAborted();
    const answer = await unlessAborted(utility.text(call, signal), signal);
    signal.throwIfAborted();
    return answer ?? '';
  };
  const asked = [...historyAsGiven(contents), said('user', hasSummary ? NEXT_ASK : FIRST_ASK)];
  const draft = await ask(l10n.t('A snapshot of the conversation'), asked);
  if (draft.trim() === '') return undefined;
  const checked = await ask(l10n.t('A check of the snapshot'), [
    ...asked,
    said('model', draft),
    said('user', CRITIQUE),
  ]);
  return snapshotIn(checked) ?? snapshotIn(draft);
}

function said(role: 'user' | 'model', text: string): Content {
  return { role, parts: [{ text }] };
}

const TAG = /<(\/?)state_snapshot>/g;
const SCRATCHPAD = /<scratchpad>[\s\S]*?<\/scratchpad>/g;

/**
 * Extracts the snapshot, without the model's thoughts before it: the last complete `<state_snapshot>` element.
 * Undefined if there is none or it is empty.
 */
export function snapshotIn(answer: string): string | undefined {
  const text = answer.replace(SCRATCHPAD, '');
  let depth = 0;
  let from = 0;
  let found: string | undefined;
  for (const tag of text.matchAll(TAG)) {
    if (tag[1] === '') {
      if (depth === 0) from = tag.index;
      depth++;
    } else if (depth > 0 && --depth === 0) {
      found = text.slice(from, tag.index + tag[0].length);
    }
  }
  return found !== undefined && found.replace(/<[^>]*>/g, '').trim() !== '' ? found : undefined;
}
