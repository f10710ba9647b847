import type { Content, FunctionCall, FunctionResponse, Part } from '@google/genai';
import { isNoticeText } from '../../text/untrusted.ts';
import type { GenerateRequest } from '../content-generator.ts';
import { excerpt, outline } from './file-outline.ts';
import * as texts from './guide-texts.ts';

/** The guide's next action: text, or a tool call after which the guide reads the request again. */
export interface GuideStep {
  readonly thought?: string;
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: Record<string, unknown> };
}

interface Topic {
  readonly asks: RegExp;
  /** The tool that the topic requires. */
  readonly tool?: string;
  readonly needsFolder?: boolean;
  readonly answer: (turn: GuideTurn) => GuideStep;
}

const READ_FILE = 'read_file';
const WRITE_FILE = 'write_file';
const SHELL = 'run_shell_command';
const ASK_USER = 'ask_user';

/** The first matching topic answers. */
const TOPICS: readonly Topic[] = [
  { asks: /\bshow me an edit\b|\bedits?\b/i, tool: WRITE_FILE, needsFolder: true, answer: showEdit },
  { asks: /\brun a command\b|\bcommands?\b|\bshell\b/i, tool: SHELL, needsFolder: true, answer: runCommand },
  { asks: /\bask me\b|\bquestions?\b/i, tool: ASK_USER, answer: askSomething },
  {
    asks: /\bwalk\b|\btour\b|\bthis folder\b|\bshow me around\b|\breadme\b/i,
    tool: READ_FILE,
    needsFolder: true,
    answer: walkThrough,
  },
  {
    asks: /\bkeys?\b|_KEY\b|\bcredentials?\b|\bsign in\b|\bconnect\b/i,
    answer: () => ({ text: texts.connect() }),
  },
  { asks: /\bwhat can\b|\bwhat do\b|\bfeatures?\b|\btoday\b/i, answer: () => ({ text: texts.today() }) },
];

/** A word that looks like a file: `src/app.ts`, `@README.md`, `notes.txt:12`. */
const FILE_NAME =
  /(?:^|[\s"'`(@])(?!e\.g|i\.e)((?:[\w.-]*\/)*[\w-][\w.-]*\.[a-z]\w{0,9})(?=$|[\s"'`),;:!?]|\.(?:\s|$))/i;

export function nextStep(turn: GuideTurn, hasFolder: boolean): GuideStep {
  const question = inEnglish(turn.question);
  const topic = fileTopic(question) ?? TOPICS.find(({ asks }) => asks.test(question));
  if (!topic) return { text: texts.help() };
  if (topic.needsFolder && !hasFolder) return { text: texts.noFolder() };
  if (topic.tool !== undefined && !turn.tools.has(topic.tool)) return { text: texts.noTool(topic.tool) };
  return topic.answer(turn);
}

/** The panel's suggestions are in the user's language. */
function inEnglish(question: string): string {
  const suggested: Readonly<Record<string, string>> = {
    [texts.walkRequest()]: 'Walk through this folder',
    [texts.editRequest()]: 'Show me an edit',
    [texts.commandRequest()]: 'Run a command',
    [texts.askRequest()]: 'Ask me something',
    [texts.todayRequest()]: 'What can Gantry do today?',
    [texts.connectRequest()]: 'How do I connect a model?',
  };
  return (Object.hasOwn(suggested, question.trim()) ? suggested[question.trim()] : undefined) ?? question;
}

function fileTopic(question: string): Omit<Topic, 'asks'> | undefined {
  const path = FILE_NAME.exec(question)?.[1];
  if (path === undefined) return undefined;
  return { tool: READ_FILE, needsFolder: true, answer: (turn) => showFile(path, turn) };
}

/** The guide describes the first of these files that it can read. */
const STARTING_POINTS: readonly string[] = ['README.md', 'readme.md', 'package.json'];

function walkThrough({ calls }: GuideTurn): GuideStep {
  const last = calls.at(-1);
  if (last && 'text' in last.result)
    return { text: `${outline(pathOf(last), last.result.text)}\n\n${texts.walkEnd()}` };
  const next = STARTING_POINTS[calls.length];
  if (next === undefined) return { text: `${tried(calls)}\n\n${texts.walkEnd()}` };
  return last ? reading(next) : { ...reading(next), text: texts.walkStart() };
}

function tried(calls: readonly GuideCall[]): string {
  const lines = calls.map((call) => `- \`${pathOf(call)}\`: ${'error' in call.result ? call.result.error : ''}`);
  return `${texts.nothingToStartFrom()}\n\n${lines.join('\n')}`;
}

function showFile(path: string, { calls }: GuideTurn): GuideStep {
  const last = calls.at(-1);
  if (!last) return reading(path);
  if ('text' in last.result) return { text: `${excerpt(pathOf(last), last.result.text)}\n\n${texts.readEnd()}` };
  return { text: `${texts.notRead(pathOf(last), last.result.error)}\n\n${texts.readEnd()}` };
}

function reading(path: string): GuideStep {
  return {
    thought: texts.reads(path),
    call: { name: READ_FILE, args: { file_path: path } },
  };
}

function showEdit({ calls }: GuideTurn): GuideStep {
  const last = calls.at(-1);
  if (last) return { text: 'error' in last.result ? notDone(last.result.error) : texts.editEnd() };
  const args = { file_path: texts.TOUR_FILE, content: texts.tourText() };
  return { text: texts.editStart(), call: { name: WRITE_FILE, args } };
}

function runCommand({ calls }: GuideTurn): GuideStep {
  const last = calls.at(-1);
  if (last) return { text: 'error' in last.result ? notDone(last.result.error) : texts.commandEnd() };
  const args = { command: 'git --version', description: texts.commandPurpose() };
  return { text: texts.commandStart(), call: { name: SHELL, args } };
}

function askSomething({ calls }: GuideTurn): GuideStep {
  const last = calls.at(-1);
  if (!last) return { text: texts.questionStart(), call: { name: ASK_USER, args: { questions: [texts.question()] } } };
  if ('error' in last.result) return { text: notDone(last.result.error) };
  return { text: `${excerpt('answers.json', last.result.text)}\n\n${texts.questionEnd()}` };
}

function notDone(reason: string): string {
  return `${texts.notDone()}\n\n> ${reason.replace(/\s+/g, ' ').slice(0, 400)}\n\n${texts.next()}`;
}

function pathOf({ args }: GuideCall): string {
  const path = args['file_path'];
  return typeof path === 'string' ? path : '';
}

interface GuideCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: { readonly text: string } | { readonly error: string };
}

/** The data that the offline guide reads from a request. */
interface GuideTurn {
  readonly question: string;
  /** Tools that ran since the question, in order. */
  readonly calls: readonly GuideCall[];
  /** The names of the available tools. */
  readonly tools: ReadonlySet<string>;
}

export function readTurn({ contents, config }: GenerateRequest): GuideTurn {
  const asked = contents.findLastIndex((content) => content.role !== 'model' && textOf(content) !== '');
  const since = contents.slice(asked + 1).flatMap((content) => content.parts ?? []);
  const declared = (config.tools ?? []).flatMap((tool) =>
    'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [],
  );
  return {
    question: textOf(contents[asked]),
    calls: pairCalls(since),
    tools: new Set(declared.flatMap(({ name }) => name ?? [])),
  };
}

function textOf(content: Content | undefined): string {
  const texts = (content?.parts ?? []).map((part) => part.text ?? '');
  return texts.filter((text) => !isNoticeText(text)).join('');
}

function pairCalls(parts: readonly Part[]): readonly GuideCall[] {
  const responses = parts.flatMap((part) => part.functionResponse ?? []);
  const calls = parts.flatMap((part) => part.functionCall ?? []);
  return calls.flatMap((call: FunctionCall) => {
    const response = responses.find((candidate) => candidate.id === call.id);
    return response ? [{ name: call.name ?? '', args: call.args ?? {}, result: resultOf(response) }] : [];
  });
}

function resultOf({ response = {} }: FunctionResponse): GuideCall['result'] {
  const { output, error } = response;
  if (typeof output === 'string') return { text: output };
  return { error: typeof error === 'string' ? error : 'The tool gave no text.' };
}
