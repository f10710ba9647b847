import { namedFailure } from '../../files/file-failure.ts';
import { type ToolErrorType, type ToolResult, toolError } from '../../ports/tool.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';

/** Ends a call with a reason for the model; `asResult` turns it into a value. */
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

/** The call as people see it. */
export interface ShownCall {
  readonly name: string;
  readonly description: string;
}

/** Cards show the beginning; the model's text is whole. */
const MAX_SHOWN = 20_000;

/** Runs a call. Nothing gets past it: refusals, hanging language servers and Stop all become results. */
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
