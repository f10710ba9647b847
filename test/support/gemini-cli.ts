import { randomUUID } from 'node:crypto';

type Fields = Readonly<Record<string, unknown>>;

export const RECORDED_AT = Date.parse('2026-03-01T10:00:00.000Z');

/** Builds a recording of Gemini CLI, line by line. Messages are one second apart. */
export class RecordingBuilder {
  private readonly lines: string[];
  private messages = 0;

  constructor(metadata: Fields = {}) {
    const startTime = new Date(RECORDED_AT).toISOString();
    const usual = { sessionId: 'cli-session', projectHash: 'hash', startTime, lastUpdated: startTime, kind: 'main' };
    this.lines = [JSON.stringify({ ...usual, ...metadata })];
  }

  user(content: unknown, fields: Fields = {}): this {
    return this.message('user', content, fields);
  }

  gemini(content: unknown, fields: Fields = {}): this {
    return this.message('gemini', content, { model: 'gemini-3-pro', ...fields });
  }

  message(type: string, content: unknown, fields: Fields = {}): this {
    const timestamp = new Date(RECORDED_AT + ++this.messages * 1000).toISOString();
    return this.line({ id: `m${this.messages}`, timestamp, type, content, ...fields });
  }

  line(value: unknown): this {
    return this.raw(JSON.stringify(value));
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

export function toolCall(name: string, fields: Fields = {}): Fields {
  return { id: `${name}-${randomUUID()}`, name, args: {}, status: 'success', ...fields };
}

export function answered(id: string, name: string, response: Fields): Fields {
  return { functionResponse: { id, name, response } };
}
