import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import { plainText } from '../protocol/agent/content-part.ts';
import type { OutputFormat } from './arguments.ts';
import { separatesAnswers } from './notes.ts';
import type { RunSummary } from './run-summary.ts';
import type { Sink } from './sink.ts';

/** Writes one output format. Promises resolve when stdout can accept more. */
export interface OutputWriter {
  event(event: AgentEvent): Promise<void>;
  end(summary: RunSummary): Promise<void>;
}

export interface OutputTarget {
  readonly stdout: Sink;
  /** A terminal interprets escape sequences, so they are removed from a model's answer. */
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
 * Prints only the answer. A terminal shows it as it arrives. Otherwise a program reads it, and written text can't be
 * taken back, so an answer is held until it is final.
 */
class TextOutput implements OutputWriter {
  private inLine = false;
  private held = '';

  constructor(private readonly target: OutputTarget) {}

  event(event: AgentEvent): Promise<void> {
    // The text of a subagent is for its leader.
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
    // A terminal keeps the retracted text, so the next text starts on a new line.
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
 * Removes control characters that could move the cursor, change the window title or write to the clipboard of a
 * terminal (OSC 52). Tabs and line endings stay.
 */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
  return text.replace(/[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/g, '');
}
