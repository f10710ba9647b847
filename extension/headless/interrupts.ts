import { ExitCode } from './exit-code.ts';

type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface InterruptSource {
  on(signal: Interrupt, listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * The first signal asks the run to end, so that what was answered is kept and printed; the next one ends the process at
 * once. A terminal that closes hangs up twice, through the kernel and through its shell: that is one wish.
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
