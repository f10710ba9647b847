import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { ProposeOutcome, Tool, ToolContext, ToolResult } from '../../ports/tool.ts';
import type { UserQuestion } from '../../protocol/agent/approval.ts';
import { oneLine } from '../../text/one-line.ts';

const DISPLAY_NAME = 'Ask User';
const MAX_ANSWER_CHARS = 20_000;

const optionSchema = z.object({
  label: z.string().min(1).max(200).describe('A few words; this is what you get back.'),
  description: z.string().max(1000).describe('What choosing it means.'),
});

const questionSchema = z
  .object({
    question: z.string().min(1).max(4000).describe('The whole question.'),
    header: z.string().min(1).max(40).describe('A word or two that stand for the question.'),
    type: z.enum(['choice', 'text', 'yesno']),
    options: z.array(optionSchema).min(2).max(4).optional().describe('For choice: 2 to 4 options.'),
    multiSelect: z.boolean().optional().describe('For choice: several options may be chosen.'),
    placeholder: z.string().max(200).optional().describe('A hint in the empty field.'),
  })
  .refine(({ type, options }) => type !== 'choice' || options !== undefined, {
    path: ['options'],
    error: 'a choice needs 2 to 4 options',
  })
  .refine(({ options = [] }) => new Set(options.map(({ label }) => label)).size === options.length, {
    path: ['options'],
    error: 'the labels must differ',
  });

const askUserSchema = z.object({ questions: z.array(questionSchema).min(1).max(4) });

type Arguments = z.infer<typeof askUserSchema>;

export function createAskUserTool(): Tool<typeof askUserSchema> {
  return {
    name: 'ask_user',
    displayName: DISPLAY_NAME,
    kind: 'communicate',
    alwaysAsks: true,
    description:
      'Asks the user 1 to 4 questions and waits for the answers. Use it for decisions that are theirs to make. The user ' +
      'can always answer a choice or yes/no question in their own words instead.',
    schema: askUserSchema,
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
