import type { RecordedRequest } from '../request.ts';
import { contentsError, endError, historyError } from './contents.ts';
import { bodyError } from './fields.ts';
import type { Given } from './given.ts';
import { toolsError } from './tools.ts';

/** Why Google would refuse a request, according to its published rules. Every request of every test is checked. */
export function requestError({ operation, body, contents }: RecordedRequest, given: Given): string | undefined {
  const counts = operation === 'countTokens';
  return (
    bodyError(body, counts) ??
    (counts ? contentsError(contents) : (historyError(contents) ?? endError(contents))) ??
    toolsError(body.tools ?? []) ??
    given.error(contents)
  );
}
