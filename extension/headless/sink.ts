import type { Writable } from 'node:stream';

/** Standard output as a place that may be slow, and may go away (`| head`) without that being an error. */
export class Sink {
  /** Aborted when the reader has gone; from then on writing does nothing. */
  readonly closed: AbortSignal;
  /** Set when writing failed for a reason other than the reader having gone, e.g. a full disk. */
  failure: Error | undefined;

  constructor(private readonly stream: Writable) {
    const closing = new AbortController();
    this.closed = closing.signal;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // EOF is what Windows says when the reader of a pipe is gone.
      if (error.code !== 'EPIPE' && error.code !== 'EOF') this.failure ??= error;
      closing.abort();
    });
  }

  /** Resolves when the reader can take more. */
  async write(text: string): Promise<void> {
    if (text === '' || this.closed.aborted || this.stream.write(text)) return;
    await this.settled((done) => this.stream.once('drain', done));
  }

  /** Resolves when all that was written has left the process. */
  async flush(): Promise<void> {
    if (this.closed.aborted) return;
    await this.settled((done) => this.stream.write('', () => done()));
  }

  /** A reader that has gone will not take the rest either: then there is nothing to wait for. */
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
