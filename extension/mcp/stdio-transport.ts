import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { LineListeners, LineProcess } from '../processes/line-process.ts';
import type { OverlongLine } from '../processes/lines.ts';
import type { ProcessEnd } from '../processes/piped-process.ts';
import { MAX_SERVER_MESSAGE_BYTES, tooLargeAnswer } from './message-limit.ts';

/**
 * Exchanges messages as lines with a program. The SDK's own transport joins a message with each chunk that arrives,
 * which takes quadratic time, and kills the server if a message is too long. Here, only that message is lost.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private process: LineProcess | undefined;
  private lastErrors: string[] = [];
  private end: ProcessEnd | undefined;
  private isClosed = false;

  constructor(
    private readonly startProcess: (listeners: LineListeners) => LineProcess,
    private readonly logError: (line: string) => void,
  ) {}

  async start(): Promise<void> {
    const started = this.startProcess({
      line: (line) => this.take(line),
      overlong: (line) => this.takeOverlong(line),
      errorLine: (line) => this.takeError(line),
    });
    this.process = started;
    void started.ended.then((end) => {
      this.end = end;
      this.closed();
    });
    await started.started;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.process || this.end) throw new Error(this.whyEnded());
    await this.process.write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.process?.kill();
    this.closed();
  }

  /** How the program ended, and its last lines on stderr. */
  whyEnded(): string {
    const { exitCode, signal } = this.end ?? {};
    const how = signal ? `It was ended by ${signal}.` : `It ended with exit code ${exitCode ?? 'unknown'}.`;
    return [how, ...this.lastErrors].join('\n');
  }

  private take(line: string): void {
    if (line.trim() === '') return;
    try {
      this.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(line)));
    } catch {
      // Some servers write logs to the wrong stream, so the line may be anything.
      this.onerror?.(new Error(`It wrote something that is no message: ${line.slice(0, 200)}`));
    }
  }

  private takeOverlong({ head, tail, bytes }: OverlongLine): void {
    this.onerror?.(new Error(`It wrote a message of ${bytes} bytes; ${MAX_SERVER_MESSAGE_BYTES} are the most.`));
    const answer = tooLargeAnswer(head, tail);
    if (answer) this.onmessage?.(answer);
  }

  private takeError(line: string): void {
    this.lastErrors = [...this.lastErrors.slice(-4), line.slice(0, 500)];
    this.logError(line);
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onclose?.();
  }
}
