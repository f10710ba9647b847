import { contextWindow } from '../../model/catalog/known-models.ts';
import type { Host } from '../../ports/host.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { SessionHooks } from '../hooks/session-hooks.ts';
import type { SessionModel } from '../model/session-model.ts';
import type { SavedOutputs } from '../request/saved-outputs.ts';
import { SessionCompaction } from './session-compaction.ts';

export interface CompactionOwner {
  readonly journal: SessionJournal;
  readonly model: SessionModel;
  readonly hooks: SessionHooks;
  readonly stream: EventStream;
  readonly outputs: SavedOutputs;
}

/** What keeps the conversation of one session within the window of its model. */
export function createCompaction({ settings, log }: Host, owner: CompactionOwner): SessionCompaction {
  const { journal, model, hooks, stream, outputs } = owner;
  return new SessionCompaction({
    journal,
    utility: model.utility,
    files: outputs,
    preCompress: hooks.preCompress,
    model: () => model.current,
    window: () => contextWindow(model.current),
    threshold: () => settings.compressionThreshold(),
    tell: (event) => stream.tellOnce(event),
    log,
  });
}
