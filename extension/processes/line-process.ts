import type { Writable } from 'node:stream';
import { Lines, type OverlongLine } from './lines.ts';
import { type PipedProcess, type PipedProgram, startPipedProcess } from './piped-process.ts';

export interface LineProgram extends PipedProgram {
  /** Only the beginning and the end of a longer line are kept. */
  readonly maxLineBytes: number;
}

export interface LineListeners {
  line(text: string): void;
  overlong(line: OverlongLine): void;
  /** Called for each line on stderr. */
  errorLine(text: string): void;
}

/** A program that keeps running and communicates line by line. */
export interface LineProcess extends Pick<PipedProcess, 'pid' | 'started' | 'ended' | 'kill'> {
  /** Resolves when the program can take more input. Rejects if it no longer reads any. */
  write(line: string): Promise<void>;
}

export function startLineProcess(program: LineProgram, listeners: LineListeners): LineProcess {
  const piped = startPipedProcess(program, listeners.errorLine);
  const output = new Lines(program.maxLineBytes, listeners.line, listeners.overlong);
  piped.output.on('data', (chunk: Buffer) => output.add(chunk));
  const { pid, started, ended, kill, input } = piped;
  return { pid, started, ended, kill, write: (line) => write(input, `${line}\n`) };
}

function write(input: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!input.writable) reject(new Error('The program does not take any input.'));
    else input.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
