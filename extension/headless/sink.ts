import type { Writable } from 'node:stream';

/** Standard output, which may be slow, and whose reader may close it (`| head`) without that being an error. */
export class Sink {
  /** Aborted when the reader has closed the stream; then writing does nothing. */
  readonly closed: AbortSignal;
  /** Set if writing failed for another reason, such as a full disk. */
  failure: Error | undefined;

  constructor(private readonly stream: Writable) {
    const closing = new AbortController();
    this.closed = closing.signal;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // On Windows, EOF means that the reader of a pipe is gone.
      if (error.code !== 'EPIPE' && error.code !== 'EOF') this.failure ??= error;
      closing.abort();
    });
  }

  /** Resolves when the reader can accept more. */
  async write(text: string): Promise<void> {
    if (text === '' || this.closed.aborted || this.stream.write(text)) return;
    await this.settled((done) => this.stream.once('drain', done));
  }

  /** Resolves when all output has left the process. */
  async flush(): Promise<void> {
    if (this.closed.aborted) return;
    await this.settled((done) => this.stream.write('', () => done()));
  }

  /** Also resolves if the reader is gone, because then there is nothing to wait for. */
  private settled(wait: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.closed.removeEventListener('abort', done);
        resolve();
      };
      this.closed.addEventListener('abort', done);
      wait(done);
    });
  }
}
