import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  open as openWithCallback,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { undefinedIfMissing } from './error-code.ts';

/** A file that is open for reading. Node's `FileHandle` is one. */
export interface OpenFile {
  readonly fd: number;
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  stat(options: { readonly bigint: true }): Promise<BigIntStats>;
  readFile(): Promise<Buffer>;
  close(): Promise<void>;
}

const openDescriptor = promisify(openWithCallback);

let mayBlock = false;

/**
 * Lets the calls of this file block the process until the disk answers. That takes a fifth of the time that another
 * thread needs to ask, but an editor would freeze on a slow network drive. The command line has nothing else to do.
 */
export function letFileCallsBlock(value: boolean): void {
  mayBlock = value;
}

export async function linkStats(path: string): Promise<Stats> {
  return mayBlock ? lstatSync(path) : lstat(path);
}

/** Follows links. Undefined if there is nothing. */
export async function bigStats(path: string): Promise<BigIntStats | undefined> {
  if (!mayBlock) return stat(path, { bigint: true }).catch(undefinedIfMissing);
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

/**
 * Without O_NONBLOCK, opening a named pipe waits for a writer forever; O_NOFOLLOW rejects a link that replaced the file
 * after it was checked. Windows has neither.
 */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export async function openForReading(path: string): Promise<OpenFile> {
  return mayBlock ? new BlockingFile(openSync(path, READ_FLAGS)) : open(path, READ_FLAGS);
}

/** Finds a file without opening it for anything, so that devices and pipes notice nothing (open(2) of Linux). */
const O_PATH = 0o10000000;

/** Finds a file on Linux. The caller closes the descriptor. */
export async function descriptorOf(path: string): Promise<number> {
  return mayBlock ? openSync(path, O_PATH) : openDescriptor(path, O_PATH);
}

class BlockingFile implements OpenFile {
  constructor(readonly fd: number) {}

  async read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }> {
    return { bytesRead: readSync(this.fd, buffer, offset, length, position) };
  }

  async stat(): Promise<BigIntStats> {
    return fstatSync(this.fd, { bigint: true });
  }

  async readFile(): Promise<Buffer> {
    return readFileSync(this.fd);
  }

  async close(): Promise<void> {
    closeSync(this.fd);
  }
}
