import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/**
 * The SDK looks at notifications a moment later than at answers. Where both arrive together, the last progress of a call would
 * come after its end, and be lost.
 */
export function deliverOneByOne(transport: Transport): void {
  const deliver = transport.onmessage;
  let last: Promise<void> = Promise.resolve();
  transport.onmessage = (message, extra) => {
    last = last
      .then(() => deliver?.(message, extra))
      .catch((error: unknown) => transport.onerror?.(error instanceof Error ? error : new Error(String(error))));
  };
}
