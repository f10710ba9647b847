import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import { plainText } from '../protocol/agent/content-part.ts';
import type { OutputFormat } from './arguments.ts';
import { separatesAnswers } from './notes.ts';
import type { RunSummary } from './run-summary.ts';
import type { Sink } from './sink.ts';

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

/**
 * The answer and nothing else. A terminal shows it as it arrives. Elsewhere a program reads it, and what was written cannot be
 * taken back: there an answer waits until it is known to count.
 */
class TextOutput implements OutputWriter {
  private inLine = false;
  private held = '';

  constructor(private readonly target: OutputTarget) {}

  event(event: AgentEvent): Promise<void> {
    // What a subagent says is for its parent.
    if (event.threadId !== undefined) return Promise.resolve();
    switch (event.type) {
      case 'message':
        if (event.role === 'agent') return this.say(plainText(event.content));
        return separatesAnswers(event) ? this.endLine() : Promise.resolve();
      case 'custom':
        return event.kind === 'answer_retracted' ? this.retract() : Promise.resolve();
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

  private async say(text: string): Promise<void> {
    if (this.target.isTerminal) await this.print(withoutControls(text));
    else this.held += text;
  }

  private async retract(): Promise<void> {
    this.held = '';
    // On a terminal it stays; what follows does not stand in the same line.
    await this.endLine();
  }

  private async endLine(): Promise<void> {
    const { held } = this;
    this.held = '';
    await this.print(held);
    if (this.inLine) await this.print('\n');
  }

  private async print(text: string): Promise<void> {
    if (text === '') return;
    this.inLine = !text.endsWith('\n');
    await this.target.stdout.write(text);
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

/**
 * Text that a terminal only shows: without the control characters that could move the cursor, retitle the window or
 * write to the clipboard (OSC 52). Tabs and line ends stay.
 */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
  return text.replace(/[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/g, '');
}
