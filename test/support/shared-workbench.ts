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
  /** Every test finds it empty and must leave it used up. */
  readonly gemini: () => GeminiEndpoint;
  /** Of the VS Code. */
  readonly processes: ProcessMark;
}

const processes = createProcessMark();
let shared: Promise<Shared> | undefined;

/**
 * Call it inside `describe`: the VS Code, the browser and the endpoint that suites have in common. They last as long as the
 * process, so a journey also continues in the window of another file. A suite that needs another environment or other settings
 * has its own: `useWorkbench`.
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
      // As text in the page, and with the list of terminals also when there is one.
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.tabs.hideCondition': 'never',
      // VS Code guesses what a slow connection will echo, and draws that.
      'terminal.integrated.localEchoEnabled': 'off',
    },
  });
  return { studio, endpoint };
}
