import type { Content } from '@google/genai';
import { CUT_CHARS, type Cut, type LongResponse } from '../../context/compaction/long-responses.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { outputFileName } from '../../text/long-output.ts';
import type { SavedOutputs } from '../request/saved-outputs.ts';

interface Gain {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Saves long outputs that are sent only in part, and records that they are cut. */
export class OutputCuts {
  constructor(
    private readonly journal: SessionJournal,
    private readonly files: Pick<SavedOutputs, 'save'>,
  ) {}

  /** Saves the long outputs that are in `contents`. An output that cannot be saved is not cut. */
  async save(long: readonly LongResponse[], contents: readonly Content[]): Promise<Map<string, Cut>> {
    const cuts = new Map<string, Cut>();
    const there = callIdsIn(contents);
    for (const { callId, tool, text } of long) {
      if (!there.has(callId)) continue;
      // The name depends on the text: the call's own file may hold the output from before it was first cut.
      const file = await this.files.save(outputFileName(tool, callId, text), text);
      if (file !== undefined) cuts.set(callId, { threshold: CUT_CHARS, file });
    }
    return cuts;
  }

  /** Records that the outputs in `contents` are cut from now on. */
  record(contents: readonly Content[], cuts: ReadonlyMap<string, Cut>, gain: Gain): void {
    const there = callIdsIn(contents);
    const outputs = [...cuts].flatMap(([callId, { file }]) =>
      there.has(callId) ? [{ callId, ...(file !== undefined && { file }) }] : [],
    );
    if (outputs.length === 0) return;
    this.journal.append({ type: 'outputs_cut', outputs, threshold: CUT_CHARS, ...gain });
  }
}

function callIdsIn(contents: readonly Content[]): ReadonlySet<string> {
  return new Set(
    contents.flatMap(({ parts = [] }) => parts.flatMap(({ functionResponse }) => functionResponse?.id ?? [])),
  );
}
