import type { ElicitationPropertySchema, ElicitationSchema } from '@agentclientprotocol/sdk';
import type { ModelChoice, UserQuestion } from '../protocol/agent/approval.ts';
import { modelChoiceButtons } from '../protocol/agent/decisions.ts';
import type { ClientAnswer } from './permission.ts';

/** A form for the user of the client, and how its content answers the question. */
export interface Form {
  readonly message: string;
  readonly schema: ElicitationSchema;
  /** The content comes from the client and may have any shape. */
  answer(content: Readonly<Record<string, unknown>>): ClientAnswer;
}

export function questionsForm(title: string, questions: readonly UserQuestion[]): Form {
  const properties = questions.flatMap((question, index) => questionFields(question, index));
  return {
    message: questions.length === 1 ? (questions[0]?.question ?? title) : title,
    schema: { type: 'object', properties: Object.fromEntries(properties) },
    answer: (content) => {
      const given = questions.map((_, index) => [String(index), wordsOf(content, index)] as const);
      const answers = Object.fromEntries(given.filter(([, words]) => words !== ''));
      return { action: 'accept', content: { decision: 'once', answers } };
    },
  };
}

export function planForm(title: string, { text, path }: { readonly text: string; readonly path: string }): Form {
  const decision: ElicitationPropertySchema = {
    type: 'string',
    title: 'Decision',
    oneOf: [
      { const: 'default', title: 'Carry it out, and ask before changes' },
      { const: 'autoEdit', title: 'Carry it out, and edit without asking' },
      { const: 'reject', title: 'Keep planning' },
    ],
    default: 'default',
  };
  const feedback: ElicitationPropertySchema = { type: 'string', title: 'Comment for the agent' };
  return {
    message: `${title}\n\n${path}\n\n${text}`,
    schema: { type: 'object', properties: { decision, feedback }, required: ['decision'] },
    answer: (content) => {
      const said = textOf(content['feedback']);
      const approvalMode = content['decision'];
      if (approvalMode !== 'default' && approvalMode !== 'autoEdit') {
        return { action: 'decline', content: said === '' ? {} : { reason: said } };
      }
      return { action: 'accept', content: { decision: 'once', approvalMode, ...(said !== '' && { feedback: said }) } };
    },
  };
}

export function modelForm(title: string, message: string, choice: ModelChoice): Form {
  const buttons = modelChoiceButtons(choice);
  const oneOf = [
    ...buttons.map(({ decision, label }) => ({ const: decision as string, title: label })),
    { const: 'stop', title: 'Stop' },
  ];
  return {
    message: `${title}\n\n${message}`,
    schema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'Decision', oneOf } },
      required: ['decision'],
    },
    answer: (content) => {
      const decision = buttons.find((button) => button.decision === content['decision'])?.decision;
      return decision === undefined ? { action: 'decline', content: {} } : { action: 'accept', content: { decision } };
    },
  };
}

type Field = readonly [name: string, schema: ElicitationPropertySchema];

/** People may answer a question with options in their own words too, as in the panel. */
function questionFields(question: UserQuestion, index: number): Field[] {
  const { question: description, header: title, type, multiSelect, placeholder } = question;
  const other: Field = [otherName(index), { type: 'string', title: `${title}: another answer` }];
  if (type === 'text') {
    const hint = placeholder === undefined ? description : `${description} (${placeholder})`;
    return [[fieldName(index), { type: 'string', title, description: hint }]];
  }
  const options = (type === 'yesno' ? YES_NO : (question.options ?? [])).map(({ label, description: more }) => {
    return { const: label, title: more === '' ? label : `${label}: ${more}` };
  });
  if (multiSelect) {
    return [[fieldName(index), { type: 'array', title, description, items: { anyOf: options } }], other];
  }
  return [[fieldName(index), { type: 'string', title, description, oneOf: options }], other];
}

const YES_NO = [
  { label: 'Yes', description: '' },
  { label: 'No', description: '' },
];

const fieldName = (index: number): string => `answer${index + 1}`;
const otherName = (index: number): string => `other${index + 1}`;

function wordsOf(content: Readonly<Record<string, unknown>>, index: number): string {
  const chosen = content[fieldName(index)];
  const words = [...(Array.isArray(chosen) ? chosen : [chosen]), content[otherName(index)]].map(textOf);
  return words.filter((word) => word !== '').join(', ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
