import { setLogger } from '@google/adk';
import type { Logger } from '../../ports/logger.ts';

/** ADK's process-wide switches. Set before the first run. */
export function prepareAdk(log: Logger): void {
  // ADK puts prompts and tool results into OpenTelemetry spans of any SDK in this process unless told not to.
  process.env['ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS'] = 'false';
  // Its other lines repeat what was said; what users need to know arrives as events.
  const silent = (): void => undefined;
  const debug = (...parts: unknown[]): void => log.debug(`adk: ${parts.join(' ')}`);
  setLogger({ setLogLevel: silent, log: silent, debug: silent, info: silent, warn: debug, error: debug });
}
