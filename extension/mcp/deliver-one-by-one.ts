import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { asError } from '../base/errors.ts';
import { InOrder } from '../base/in-order.ts';

/**
 * The SDK looks at notifications a moment later than at answers. Where both arrive together, the last progress of a call would
 * come after its end, and be lost.
 */
export function deliverOneByOne(transport: Transport): void {
  const deliver = transport.onmessage;
  const inOrder = new InOrder();
  transport.onmessage = (message, extra) => {
    inOrder.run(async () => deliver?.(message, extra)).catch((error: unknown) => transport.onerror?.(asError(error)));
  };
}
