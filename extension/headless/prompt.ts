import { addAbortSignal, type Readable } from 'node:stream';
import { failureText } from '../files/file-failure.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import { invalidArgument } from './problem-of.ts';

/**
 * Far more than a session accepts, so that its own error comes first. This only keeps `yes | …` from filling the
 * memory.
 */
const MAX_STDIN_BYTES = 16 * 1024 * 1024;

/**
 * With -p, stdin is only an addition, and many programs start others with a pipe that they never close. Waiting forever
 * would look like a hang (google-gemini/gemini-cli waits half a second for the same reason).
 */
const FIRST_BYTE_MS = 1000;

export type Stdin = Readable & { readonly isTTY?: boolean };

export interface PromptSources {
  readonly flag: string | undefined;
  readonly stdin: Stdin;
  readonly interrupted: AbortSignal;
  readonly note: (text: string) => void;
  readonly firstByteMs?: number;
}

/** The prompt and the piped input. Blank ones count as absent. */
export interface GivenPrompt {
  /** Typed by the user. */
  readonly words?: string;
  readonly piped?: Uint8Array;
}

/** Undefined if there is neither. Rejects with a `ProblemError` for invalid input. */
export async function readPrompt(sources: PromptSources): Promise<GivenPrompt | undefined> {
  const words = sources.flag?.trim() ? sources.flag : undefined;
  const bytes = sources.stdin.isTTY === true ? NOTHING : await readPiped(sources, words !== undefined);
  const piped = bytes.every(isBlank) ? undefined : bytes;
  if (words === undefined && piped === undefined) return undefined;
  return { ...(words !== undefined && { words }), ...(piped && { piped }) };
}

const NOTHING = Buffer.alloc(0);

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

async function readPiped(sources: PromptSources, isAddition: boolean): Promise<Buffer> {
  const { stdin, interrupted, note, firstByteMs = FIRST_BYTE_MS } = sources;
  addAbortSignal(interrupted, stdin);
  try {
    const arrived = isAddition ? await hasInput(stdin, firstByteMs) : true;
    if (arrived) return await readAll(stdin);
    note('No input arrived on stdin, so only -p is sent. (Without -p, Gantry waits for stdin; </dev/null skips it.)');
    return NOTHING;
  } catch (error) {
    if (interrupted.aborted || error instanceof ProblemError) throw error;
    throw invalidArgument(
      'stdin could not be read',
      `${failureText(error)} Pipe in text, or use -p "…" with </dev/null.`,
    );
  } finally {
    // An open pipe would keep the process alive.
    stdin.destroy();
  }
}

/** True if there is something to read or the input has ended, false if neither happened in time. */
async function hasInput(stdin: Readable, milliseconds: number): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    const settle = (then: () => void) => (): void => {
      clearTimeout(timer);
      stdin.off('readable', arrived).off('end', arrived).off('error', failed);
      then();
    };
    const arrived = settle(() => resolve(true));
    const failed = (error: Error): void => settle(() => reject(error))();
    // Loading the runtime can block the process for longer than that. Input that arrived in the meantime is handled
    // between the timer and the immediate.
    const timer = setTimeout(() => setImmediate(settle(() => resolve(false))), milliseconds);
    stdin.once('readable', arrived).once('end', arrived).once('error', failed);
  });
}

async function readAll(stdin: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_STDIN_BYTES) {
      const detail = `Gantry reads at most ${MAX_STDIN_BYTES / 1024 / 1024} MB from stdin. Pipe in less.`;
      throw invalidArgument('The input is too large', detail);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
