import { excerpt, outline } from './file-outline.ts';
import * as texts from './guide-texts.ts';
import type { FileRead, GuideTurn } from './guide-turn.ts';

/** What the guide does next: say something, or read a file and look at the request again afterwards. */
export interface GuideStep {
  readonly thought?: string;
  readonly text?: string;
  readonly read?: string;
}

type Answer = (turn: GuideTurn) => GuideStep;

/** The first that matches answers. */
const TOPICS: readonly { readonly asks: RegExp; readonly answer: Answer }[] = [
  { asks: /\bwalk\b|\btour\b|\bthis folder\b|\bshow me around\b|\breadme\b/i, answer: walkThrough },
  {
    asks: /\bkeys?\b|_KEY\b|\bcredentials?\b|\bsign in\b|\bconnect\b/i,
    answer: () => ({ text: texts.ADD_A_KEY }),
  },
  { asks: /\bwhat can\b|\bwhat do\b|\bfeatures?\b|\btoday\b/i, answer: () => ({ text: texts.TODAY }) },
];

/** A word that looks like a file: `src/app.ts`, `@README.md`, `notes.txt:12`. */
const FILE_NAME =
  /(?:^|[\s"'`(@])(?!e\.g|i\.e)((?:[\w.-]*\/)*[\w-][\w.-]*\.[a-z]\w{0,9})(?=$|[\s"'`),;:!?]|\.(?:\s|$))/i;

export function nextStep(turn: GuideTurn, hasFolder: boolean): GuideStep {
  const path = FILE_NAME.exec(turn.question)?.[1];
  const topic = TOPICS.find(({ asks }) => asks.test(turn.question));
  if (path === undefined && topic?.answer !== walkThrough) return topic?.answer(turn) ?? { text: texts.HELP };
  if (!hasFolder) return { text: texts.NO_FOLDER };
  if (!turn.canRead) return { text: texts.NO_TOOL };
  return path === undefined ? walkThrough(turn) : showFile(path, turn);
}

/** The first of these that can be read is described. */
const STARTING_POINTS: readonly string[] = ['README.md', 'readme.md', 'package.json'];

function walkThrough({ reads }: GuideTurn): GuideStep {
  const last = reads.at(-1);
  if (last && 'text' in last.result) return { text: `${outline(last.path, last.result.text)}\n\n${texts.WALK_END}` };
  const read = STARTING_POINTS[reads.length];
  if (read === undefined) return { text: `${tried(reads)}\n\n${texts.WALK_END}` };
  const thought = `The script's next step is to read ${read}.`;
  return last ? { thought, read } : { thought, text: texts.WALK_START, read };
}

function tried(reads: readonly FileRead[]): string {
  const lines = reads.map(({ path, result }) => `- \`${path}\`: ${'error' in result ? result.error : ''}`);
  return `There is nothing to start from in this folder:\n\n${lines.join('\n')}`;
}

function showFile(path: string, { reads }: GuideTurn): GuideStep {
  const last = reads.at(-1);
  if (!last) return { thought: `The script's next step is to read ${path}.`, read: path };
  if ('text' in last.result) return { text: `${excerpt(last.path, last.result.text)}\n\n${texts.READ_END}` };
  return { text: `\`${last.path}\` could not be read: ${last.result.error}\n\n${texts.READ_END}` };
}
