import { after, afterEach, before } from 'mocha';
import { type GeminiEndpoint, startGeminiEndpoint } from './server.ts';

/**
 * Call this inside `describe`. All tests share one endpoint; each starts without replies and must use all of its own.
 */
export function useGemini(): () => GeminiEndpoint {
  let endpoint: GeminiEndpoint | undefined;
  const current = (): GeminiEndpoint => {
    if (!endpoint) throw new Error('The endpoint is there in tests and hooks only.');
    return endpoint;
  };
  before(async () => {
    endpoint = await startGeminiEndpoint();
  });
  afterEach(function () {
    try {
      if (this.currentTest?.state === 'passed') current().assertDone();
    } finally {
      current().startOver();
    }
  });
  after(() => endpoint?.dispose());
  return current;
}
