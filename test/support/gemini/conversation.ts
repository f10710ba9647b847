import { call, type Piece, stream, thought } from './script.ts';

export interface ReadFileTurn {
  readonly filePath: string;
  /** The number of reads before the model answers. */
  readonly reads?: number;
  readonly answer?: readonly string[];
}

/**
 * A model that reads a file and then answers, as a function of the history alone: the same endpoint can serve any
 * number of turns and clients, so a benchmark can run two loops over one conversation.
 */
export function readsThenAnswers({ filePath, reads = 1, answer = ['I have read ', 'the file.'] }: ReadFileTurn): Piece {
  return (request) => {
    const asked = request.contents.findLastIndex(
      ({ role, parts = [] }) => role !== 'model' && parts.some((part) => part.text),
    );
    const done = request.contents
      .slice(asked)
      .flatMap(({ parts = [] }) => parts.filter((part) => part.functionResponse));
    if (done.length < reads)
      return [thought('I should look at the file first.'), call('read_file', { file_path: filePath })];
    return stream(...answer);
  };
}

/** The same as a script: for each turn the calls, then the answer. */
export function readFileTurns(turns: number, turn: ReadFileTurn): readonly Piece[] {
  return Array.from({ length: turns * ((turn.reads ?? 1) + 1) }, () => readsThenAnswers(turn));
}
