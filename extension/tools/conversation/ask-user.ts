import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { ProposeOutcome, Tool, ToolContext, ToolResult } from '../../ports/tool.ts';
import type { UserQuestion } from '../../protocol/agent/approval.ts';
import { oneLine } from '../../text/one-line.ts';
import text from './ask-user.md';

const DISPLAY_NAME = 'Ask User';
const MAX_ANSWER_CHARS = 20_000;

const optionSchema = once(() =>
  z.object({
    label: z.string().min(1).max(200).describe('A few words. You get them back as the answer.'),
    description: z.string().max(1000).describe('What happens if the user chooses it.'),
  }),
);

const questionSchema = once(() =>
  z
    .object({
      question: z.string().min(1).max(4000).describe('The whole question, understandable on its own.'),
      header: z.string().min(1).max(40).describe('One or two words as a title.'),
      type: z
        .enum(['choice', 'text', 'yesno'])
        .describe('choice: pick from options. text: write an answer. yesno: yes or no.'),
      options: z.array(optionSchema()).min(2).max(4).optional().describe('For choice: 2 to 4 options.'),
      multiSelect: z.boolean().optional().describe('For choice: the user may pick several. Default: false.'),
      placeholder: z.string().max(200).optional().describe('Hint in the empty field for text.'),
    })
    .refine(({ type, options }) => type !== 'choice' || options !== undefined, {
      path: ['options'],
      error: 'a choice needs 2 to 4 options',
    })
    .refine(({ options = [] }) => new Set(options.map(({ label }) => label)).size === options.length, {
      path: ['options'],
      error: 'the labels must differ',
    }),
);

const askUserSchema = once(() =>
  z.object({
    questions: z.array(questionSchema()).min(1).max(4).describe('Shown together, in this order.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof askUserSchema>>;

export function createAskUserTool(): Tool<ReturnType<typeof askUserSchema>> {
  return {
    name: 'ask_user',
    displayName: DISPLAY_NAME,
    kind: 'communicate',
    alwaysAsks: true,
    description: text.trim(),
    get schema() {
      return askUserSchema();
    },
    describe: ({ questions }) => describeQuestions(questions),
    propose: ({ questions }) => Promise.resolve(propose(questions)),
    execute: ({ questions }, context) => Promise.resolve(tellAnswers(questions, context)),
  };
}

function describeQuestions(questions: unknown): string {
  const parsed = z.array(z.looseObject({ header: z.string() })).safeParse(questions);
  return parsed.success ? oneLine(parsed.data.map(({ header }) => header).join(', '), 200) : '';
}

function propose(asked: Arguments['questions']): ProposeOutcome {
  const questions = asked.map(({ question, header, type, options, multiSelect, placeholder }): UserQuestion => {
    const choice = type === 'choice' ? { ...(options && { options }), ...(multiSelect && { multiSelect }) } : {};
    return { question, header, type, ...choice, ...(placeholder !== undefined && { placeholder }) };
  });
  return { proposal: { kind: 'details', details: { type: 'ask_user', questions } } };
}

function tellAnswers(questions: Arguments['questions'], { approved }: ToolContext): ToolResult {
  const answered = questions.flatMap(({ header }, index) => {
    const answer = approved?.answer.answers?.[index]?.trim().slice(0, MAX_ANSWER_CHARS) ?? '';
    return answer === '' ? [] : [{ index: String(index), header, answer }];
  });
  const description = describeQuestions(questions);
  if (answered.length === 0) {
    const display = { name: DISPLAY_NAME, description, resultSummary: l10n.t('no answer'), result: null };
    return { content: 'The user dismissed the questions without answering them.', display };
  }
  const answers = Object.fromEntries(answered.map(({ index, answer }) => [index, answer]));
  const text = answered.map(({ header, answer }) => `${oneLine(header, 40)}: ${answer}`).join('\n');
  const count = answered.length === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', answered.length);
  return {
    content: JSON.stringify({ answers }),
    display: { name: DISPLAY_NAME, description, resultSummary: count, result: { type: 'text', text } },
    data: { answers },
  };
}
