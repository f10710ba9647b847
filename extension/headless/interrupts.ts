import { ExitCode } from './exit-code.ts';

type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface InterruptSource {
  on(signal: Interrupt, listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * The first signal asks the run to end, so that the answer so far is kept and printed. The second one ends the process
 * at once. A closing terminal sends SIGHUP twice, from the kernel and from its shell, which counts as one.
 */
export function listenForInterrupts(source: InterruptSource): AbortSignal {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    if (interrupted.signal.aborted) source.exit(ExitCode.interrupted);
    else interrupted.abort();
  };
  source.on('SIGINT', interrupt);
  source.on('SIGTERM', interrupt);
  source.on('SIGHUP', () => interrupted.abort());
  return interrupted.signal;
}
