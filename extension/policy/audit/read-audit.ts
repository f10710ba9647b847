import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import type { OpenFile } from '../../files/disk-calls.ts';
import { openRegularFile } from '../../files/regular-file.ts';

const decided = z.object({
  at: z.iso.datetime().transform((at) => Date.parse(at)),
  what: z.literal('decided'),
  decision: z.string(),
  tool: z.string(),
  rule: z.string().optional(),
  ruleHash: z.string().optional(),
  args: z.looseObject({ command: z.string().optional().catch(undefined) }).catch({}),
});

/** A decision as the audit log has it. */
export type DecidedLine = z.infer<typeof decided>;

/** The log is renamed at this length, so nothing is lost if it is Gantry's. */
const MAX_BYTES = 21 * 1024 * 1024;
/** Takes a few milliseconds, and then others have their turn. */
const CHUNK_BYTES = 128 * 1024;
/** Texts in the log are cut long before that, so a longer line is damaged. */
const MAX_LINE_CHARS = 1024 * 1024;
/** Saves parsing the other lines, which are most of the log. */
const MARK = '"what":"decided"';

/**
 * Follows the audit log: each look reads what was written since the last one, piece by piece, because a log of 20 MB
 * takes longer than people wait for an answer. Damaged lines are ignored.
 */
export class AuditReader {
  private read: { readonly dev: bigint; readonly ino: bigint; offset: number } | undefined;
  /** The beginning of a line whose end isn't written yet. */
  private rest = '';

  constructor(
    /** Absolute. */
    private readonly path: string,
    private readonly take: (line: DecidedLine) => void,
    /** Called before the log is read from its beginning. */
    private readonly startOver: () => void,
    /** Earlier lines are ignored. */
    private readonly since: () => number,
  ) {}

  /** Reads what is new. Resolves to whether there was something. */
  async look(): Promise<boolean> {
    const file = await opened(this.path);
    if (!file) return false;
    try {
      const { dev, ino, size } = await file.stat({ bigint: true });
      const isSame = this.read?.dev === dev && this.read.ino === ino && this.read.offset <= Number(size);
      if (isSame && this.read?.offset === Number(size)) return false;
      if (!isSame) await this.begin();
      this.read = isSame && this.read ? this.read : { dev, ino, offset: Math.max(0, Number(size) - MAX_BYTES) };
      this.read.offset = await this.takeLines(file, this.read.offset);
      return true;
    } finally {
      await file.close();
    }
  }

  /** The previous log is the other half of a month in which much happened. */
  private async begin(): Promise<void> {
    this.rest = '';
    this.startOver();
    const before = await opened(`${this.path}.1`);
    if (!before) return;
    try {
      const { size } = await before.stat({ bigint: true });
      await this.takeLines(before, Math.max(0, Number(size) - MAX_BYTES));
      this.rest = '';
    } finally {
      await before.close();
    }
  }

  /** Returns the offset after the last byte that was read. */
  private async takeLines(file: OpenFile, from: number): Promise<number> {
    const bytes = Buffer.alloc(CHUNK_BYTES);
    const decoder = new TextDecoder();
    let offset = from;
    for (;;) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      if (bytesRead === 0) return offset;
      offset += bytesRead;
      const lines = `${this.rest}${decoder.decode(bytes.subarray(0, bytesRead), { stream: true })}`.split('\n');
      const rest = lines.pop() ?? '';
      this.rest = rest.length > MAX_LINE_CHARS ? '' : rest;
      for (const line of lines) this.takeLine(line);
    }
  }

  private takeLine(text: string): void {
    if (!text.includes(MARK)) return;
    try {
      const { success, data } = decided.safeParse(JSON.parse(text));
      if (success && data.at >= this.since()) this.take(data);
    } catch {
      // Somebody else wrote to the file, or the disk was full in the middle of a line.
    }
  }
}

async function opened(path: string): Promise<OpenFile | undefined> {
  try {
    const file = await openRegularFile(await realpath(path));
    return file.opened ? file.handle : undefined;
  } catch {
    return undefined;
  }
}
