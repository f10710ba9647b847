import { namedFailure } from '../../files/file-failure.ts';
import { type ToolErrorType, type ToolResult, toolError } from '../../ports/tool.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';

/** Ends a call with a reason for the model. `asResult` turns it into a result. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly type: ToolErrorType,
    message: string,
  ) {
    super(message);
  }
}

export interface EditorAnswer {
  readonly text: string;
  /** For people, such as "3 problems". */
  readonly summary: string;
  readonly result?: ToolDisplay['result'];
}

/** The call as shown to people. */
export interface ShownCall {
  readonly name: string;
  readonly description: string;
}

/** A card shows only the beginning. The model gets the whole text. */
const MAX_SHOWN = 20_000;

/** Runs a call and never rejects: refusals, failing language servers and Stop all become results. */
export async function asResult(
  shown: ShownCall,
  signal: AbortSignal,
  work: () => Promise<EditorAnswer>,
): Promise<ToolResult> {
  const display = { ...shown, resultSummary: null, result: null };
  try {
    signal.throwIfAborted();
    const { text, summary, result } = await work();
    return {
      content: text,
      display: {
        ...display,
        resultSummary: summary,
        result: result ?? { type: 'text', text: text.slice(0, MAX_SHOWN) },
      },
    };
  } catch (error) {
    return { ...failureOf(error, signal), display };
  }
}

export function failureOf(error: unknown, signal: AbortSignal): ToolResult {
  if (error instanceof Refused) return toolError(error.type, error.message);
  if (signal.aborted) return toolError('cancelled', 'The call was cancelled.');
  const detail = namedFailure(error);
  return toolError('execution_failed', `The editor could not answer: ${detail}`);
}
