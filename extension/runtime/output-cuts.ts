import type { Content } from '@google/genai';
import { CUT_CHARS, type Cut, type LongResponse } from '../context/compaction/long-responses.ts';
import type { OutputFiles } from '../context/output-files.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { Logger } from './host.ts';

interface Gain {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Long outputs that go out in part: their files, and the record that says so. */
export class OutputCuts {
  constructor(
    private readonly journal: SessionJournal,
    /** Undefined where nothing is kept: then no output is cut. */
    private readonly files: OutputFiles | undefined,
    private readonly log: Logger,
  ) {}

  /** Those of the long outputs that are in `contents`. One that cannot be saved is not cut. */
  async save(long: readonly LongResponse[], contents: readonly Content[]): Promise<Map<string, Cut>> {
    const cuts = new Map<string, Cut>();
    const there = callIdsIn(contents);
    for (const { callId, tool, text } of long) {
      if (!this.files || !there.has(callId)) continue;
      try {
        cuts.set(callId, { threshold: CUT_CHARS, file: await this.files.save(callId, tool, text) });
      } catch (error) {
        this.log.error('A long output was not saved, so it is sent whole', error);
      }
    }
    return cuts;
  }

  /** From now on those in `contents` go out like this. */
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
