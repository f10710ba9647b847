import type { StreamResponse } from '@a2a-js/sdk';
import { Joiner } from '../base/joiner.ts';
import { a2aText } from './parts.ts';

/**
 * The updates of a task, with text that arrives in quick succession as one of them. It has the id of its last event, so
 * that a client that comes back after it misses nothing and gets nothing twice.
 */
export async function* joinedUpdates(updates: AsyncIterable<StreamResponse>): AsyncGenerator<StreamResponse> {
  const ready: StreamResponse[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const joiner = new Joiner<StreamResponse>({
    isHeld: (update) => textIn(update) !== undefined,
    joined: joinedText,
    send: (update) => {
      ready.push(update);
      wake();
    },
  });
  const read = async (): Promise<void> => {
    try {
      for await (const update of updates) joiner.take(update);
    } finally {
      joiner.flush();
      isOver = true;
      wake();
    }
  };
  const reading = read();
  // A failure is thrown below, unless nobody listens any more.
  reading.catch(() => undefined);
  while (true) {
    for (let update = ready.shift(); update; update = ready.shift()) yield update;
    if (isOver) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  await reading;
}

/** The only text of a piece of the answer or of a thought. */
function textIn({ payload }: StreamResponse): string | undefined {
  const isThought = payload?.$case === 'statusUpdate' && payload.value.status?.message?.metadata?.['thought'] === true;
  const parts =
    payload?.$case === 'artifactUpdate'
      ? payload.value.artifact?.parts
      : isThought
        ? payload.value.status?.message?.parts
        : [];
  const [only, ...others] = parts ?? [];
  return others.length === 0 && only?.content?.$case === 'text' ? only.content.value : undefined;
}

function joinedText(first: StreamResponse, second: StreamResponse): StreamResponse | undefined {
  const [before, after] = [textIn(first), textIn(second)];
  if (before === undefined || after === undefined) return undefined;
  const parts = [a2aText(before + after)];
  const [one, other] = [first.payload, second.payload];
  if (one?.$case === 'artifactUpdate' && other?.$case === 'artifactUpdate' && other.value.append) {
    const { artifact } = one.value;
    const value = { ...one.value, artifact: artifact && { ...artifact, parts }, metadata: other.value.metadata };
    return { payload: { $case: 'artifactUpdate', value } };
  }
  if (one?.$case === 'statusUpdate' && other?.$case === 'statusUpdate') {
    const { status } = other.value;
    const message = status?.message && { ...status.message, parts };
    return { payload: { $case: 'statusUpdate', value: { ...other.value, status: status && { ...status, message } } } };
  }
  return undefined;
}
