import type { AgentEvent } from '../protocol/agent-event.ts';
import { plainText } from '../protocol/content-part.ts';
import type { OutputFormat } from './arguments.ts';
import type { RunSummary } from './run-summary.ts';
import type { Sink } from './sink.ts';
import { withoutControls } from './terminal-text.ts';

/** One output format. Promises resolve when stdout can take more. */
export interface OutputWriter {
  event(event: AgentEvent): Promise<void>;
  end(summary: RunSummary): Promise<void>;
}

export interface OutputTarget {
  readonly stdout: Sink;
  /** A terminal obeys escape sequences, so a model's answer must not carry any there. */
  readonly isTerminal: boolean;
}

export function createOutput(format: OutputFormat, target: OutputTarget): OutputWriter {
  switch (format) {
    case 'text':
      return new TextOutput(target);
    case 'json':
      return new JsonOutput(target.stdout);
    case 'stream-json':
      return new StreamJsonOutput(target.stdout);
  }
}

/** The answer as it arrives and nothing else. */
class TextOutput implements OutputWriter {
  private inLine = false;

  constructor(private readonly target: OutputTarget) {}

  event(event: AgentEvent): Promise<void> {
    // What a subagent says is for its parent.
    if (event.threadId !== undefined) return Promise.resolve();
    switch (event.type) {
      case 'message':
        return event.role === 'agent' ? this.print(plainText(event.content)) : Promise.resolve();
      case 'custom':
        // What was printed cannot be taken back; what follows does not stand in the same line.
        return event.kind === 'answer_retracted' ? this.endLine() : Promise.resolve();
      case 'tool_request':
      case 'error':
      case 'agent_end':
        return this.endLine();
      default:
        return Promise.resolve();
    }
  }

  end(): Promise<void> {
    return this.endLine();
  }

  private async print(text: string): Promise<void> {
    if (text === '') return;
    this.inLine = !text.endsWith('\n');
    await this.target.stdout.write(this.target.isTerminal ? withoutControls(text) : text);
  }

  private async endLine(): Promise<void> {
    if (this.inLine) await this.print('\n');
  }
}

class JsonOutput implements OutputWriter {
  constructor(private readonly stdout: Sink) {}

  event(): Promise<void> {
    return Promise.resolve();
  }

  end(summary: RunSummary): Promise<void> {
    return this.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`);
  }
}

class StreamJsonOutput implements OutputWriter {
  constructor(private readonly stdout: Sink) {}

  event(event: AgentEvent): Promise<void> {
    return this.stdout.write(`${JSON.stringify(event)}\n`);
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}
