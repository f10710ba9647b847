import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';

/** The extension's only log: the output channel "Gantry". */
export class ChannelLogger implements Logger, vscode.Disposable {
  /** For parts of VS Code that write to a channel themselves. */
  readonly channel = vscode.window.createOutputChannel('Gantry', { log: true });

  debug(message: string): void {
    this.channel.debug(message);
  }

  info(message: string): void {
    this.channel.info(message);
  }

  warn(message: string): void {
    this.channel.warn(message);
  }

  error(message: string, cause?: unknown): void {
    this.channel.error(cause === undefined ? message : `${message}: ${causeText(cause)}`);
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }
}

function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause === undefined ? '' : `\ncaused by ${causeText(cause.cause)}`;
  return `${cause.stack ?? cause.message}${inner}`;
}
