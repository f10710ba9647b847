import { afterEach } from 'mocha';
import { type Bench, closeKept, type Studio, startStudio, useStudio } from './fixture.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from './gemini/server.ts';
import { createProcessMark, type ProcessMark } from './marked-processes.ts';

interface Shared {
  readonly studio: Studio;
  readonly endpoint: GeminiEndpoint;
}

export interface SharedBench {
  readonly bench: Bench;
  /** Each test starts without replies and must use all of its own. */
  readonly gemini: () => GeminiEndpoint;
  /** The processes of this VS Code. */
  readonly processes: ProcessMark;
}

const processes = createProcessMark();
let shared: Promise<Shared> | undefined;

/**
 * Call this inside `describe`. Provides the VS Code, the browser and the endpoint that suites share. They last as long
 * as the process, so a journey may continue in the window of another file. A suite that needs another environment or
 * other settings has its own: `useWorkbench`.
 */
export function useSharedWorkbench(): SharedBench {
  let current: Shared | undefined;
  const gemini = (): GeminiEndpoint => {
    if (current === undefined) throw new Error('The endpoint is there in tests and hooks only.');
    return current.endpoint;
  };
  const bench = useStudio(
    async () => {
      shared ??= start();
      current = await shared.catch((error: unknown) => {
        shared = undefined;
        throw error;
      });
      return current.studio;
    },
    async () => undefined,
  );
  afterEach(async function () {
    try {
      if (this.currentTest?.state === 'passed') gemini().assertDone();
    } catch (error) {
      if (current !== undefined) await closeKept(current.studio);
      throw error;
    } finally {
      current?.endpoint.startOver();
    }
  });
  return { bench, gemini, processes };
}

async function start(): Promise<Shared> {
  const endpoint = await startGeminiEndpoint();
  const studio = await startStudio({
    trust: 'all',
    tools: true,
    env: { ...processes.environment, GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_API_KEY: 'test-key' },
    settings: {
      // The terminal is rendered as text in the page, and the list of terminals is shown even for a single one.
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.tabs.hideCondition': 'never',
      // VS Code predicts the echo of a slow connection and draws the prediction.
      'terminal.integrated.localEchoEnabled': 'off',
    },
  });
  return { studio, endpoint };
}
