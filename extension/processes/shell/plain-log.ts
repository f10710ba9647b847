import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** More than anyone reads. The limit keeps a server that logs for days from filling the disk. */
const MAX_LOG_CHARS = 64 * 1024 * 1024;
/** The limit for output that waits for a slow disk. Beyond it, output is omitted rather than kept in memory. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;
/** A longer escape sequence isn't one, or contains an image. */
const MAX_SEQUENCE_CHARS = 4096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ`-~\\])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]/g;

/** Writes a command's whole output to a file as plain text. Output that can't be written is omitted. */
export class PlainLog {
  readonly path: string;
  private readonly file: Promise<FileHandle | undefined>;
  private readonly plain = new PlainText();
  private waiting = '';
  private room = MAX_LOG_CHARS;
  private isCut = false;
  private writing: Promise<void> | undefined;

  constructor(path: string) {
    this.path = path;
    // An existing file, or a link that somebody created, must not be written to.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    this.file = mkdir(dirname(path), { recursive: true, mode: 0o700 })
      .then(() => open(path, flags, 0o600))
      .catch(() => undefined);
  }

  push(chunk: string): void {
    const text = this.plain.push(chunk);
    const room = Math.min(this.room, MAX_WAITING_CHARS - this.waiting.length);
    if (text.length > room) this.isCut = true;
    else this.take(this.isCut ? `\n[some output is missing here]\n${text}` : text);
    this.writing ??= this.write();
  }

  /** Resolves when everything that was pushed is in the file. */
  async close(): Promise<void> {
    await this.writing;
    const file = await this.file;
    await file?.close().catch(() => undefined);
  }

  private take(text: string): void {
    this.isCut = false;
    this.waiting += text;
    this.room -= text.length;
  }

  private async write(): Promise<void> {
    const file = await this.file;
    while (this.waiting !== '') {
      const text = this.waiting;
      this.waiting = '';
      // A full disk doesn't stop the command; the next output may fit again.
      await file?.appendFile(text).catch(() => undefined);
    }
    this.writing = undefined;
  }
}

/** Removes escape sequences from output that arrives in chunks. */
export class PlainText {
  private held = '';

  push(chunk: string): string {
    const text = (this.held + chunk).replace(SEQUENCES, '');
    const opening = text.indexOf('\x1b');
    const isOpen = opening >= 0 && text.length - opening < MAX_SEQUENCE_CHARS;
    // A carriage return at the very end may be half of a line end.
    const end = isOpen ? opening : text.endsWith('\r') ? text.length - 1 : text.length;
    this.held = text.slice(end);
    return text
      .slice(0, end)
      .replace(/\r+\n?/g, '\n')
      .replace(CONTROLS, '');
  }
}
