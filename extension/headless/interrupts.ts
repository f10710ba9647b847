import { ExitCode } from './exit-code.ts';

export interface InterruptSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

/** Ctrl+C once asks the run to end, so that what was answered is kept and printed; twice ends the process at once. */
export function listenForInterrupts(source: InterruptSource): AbortSignal {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    if (interrupted.signal.aborted) source.exit(ExitCode.interrupted);
    else interrupted.abort();
  };
  source.on('SIGINT', interrupt);
  source.on('SIGTERM', interrupt);
  return interrupted.signal;
}
