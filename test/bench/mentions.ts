import { FileIndex } from '../../extension/vscode/input/mentions/file-index.ts';
import { percentile } from './statistics.ts';

const WORDS = ['user', 'card', 'retry', 'net', 'upload', 'session', 'view', 'index', 'core', 'http', 'model', 'Button'];
const ENDINGS = ['.ts', '.test.ts', '.tsx', '.md', '.json', '.css'];

/** As somebody types them, character by character. */
const TYPED = ['src/net/retry.ts', 'sessionview', 'ucv', 'button.css', 'httpmodel9', 'zzzz', 'e', ''];

/** The last one is in the middle of many paths and in no name. */
const PASTED = ['retry99.ts', 'pkgsrcnet7', 'packages/net-1/src', 'packagesnetsrcnetretry'];

export interface MentionFigures {
  readonly build: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** The slowest of those that are pasted, where nothing is known from the characters before. */
  readonly pasted: number;
}

/** The file list of a large workspace: how long it takes to take it in, and how long each key takes. */
export function measureMentions(files: number): MentionFigures {
  const paths = Array.from({ length: files }, (_, at) => pathOf(at));
  const index = new FileIndex();
  const build = processorTime(() => {
    for (const path of paths) index.add(path);
  });
  const times: number[] = [];
  for (let round = 0; round < 3; round++) for (const text of TYPED) times.push(...timesOf(index, text));
  // Empties what is known from the query before.
  const pasted = PASTED.map((text) => {
    index.search('!', 1);
    return processorTime(() => index.search(text, 20));
  });
  return {
    pasted: Math.max(...pasted),
    build,
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    max: Math.max(...times),
  };
}

function timesOf(index: FileIndex, text: string): number[] {
  return Array.from({ length: text.length + 1 }, (_, length) =>
    processorTime(() => index.search(text.slice(0, length), 20)),
  );
}

/** In ms; others that use the machine meanwhile do not count. */
function processorTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function pathOf(at: number): string {
  const word = (step: number): string => WORDS[Math.floor(at / step) % WORDS.length] ?? '';
  return `packages/${word(20_000)}-${at % 40}/src/${word(2000)}/${word(160)}/${word(12)}-${word(1)}${at}${ENDINGS[at % ENDINGS.length]}`;
}
