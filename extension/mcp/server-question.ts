import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { PersonAnswer, ToolContext } from '../ports/tool.ts';
import type { UserQuestion } from '../protocol/agent/approval.ts';
import { oneLine } from '../text/one-line.ts';
import type { ServerQuestion, ServerQuestionAnswer } from './connection-types.ts';
import type { AskPerson } from './mcp-server.ts';

const field = once(() =>
  z.looseObject({
    type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
    title: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    enum: z.array(z.string()).optional(),
    enumNames: z.array(z.string()).optional(),
    oneOf: z.array(z.looseObject({ const: z.string(), title: z.string().optional() })).optional(),
    items: z
      .looseObject({
        enum: z.array(z.string()).optional(),
        anyOf: z.array(z.looseObject({ const: z.string(), title: z.string().optional() })).optional(),
      })
      .optional(),
  }),
);
type Field = z.infer<ReturnType<typeof field>>;
const form = once(() => z.looseObject({ properties: z.record(z.string(), field()) }));

/** Nobody would read more. */
const MAX_FIELDS = 20;
const MAX_OPTIONS = 20;
const MAX_TEXT = 2000;

interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Asks the user on behalf of a server, through the call that it works for. `server` is its name on one line. Undefined
 * if no user can be asked.
 */
export function askThrough(server: string, { ask }: Pick<ToolContext, 'ask'>): AskPerson | undefined {
  if (!ask) return undefined;
  return async (question, signal) => {
    const read = form().safeParse(question.schema);
    if (!read.success) return { action: 'decline' };
    const fields = Object.entries(read.data.properties);
    if (fields.length > MAX_FIELDS) return { action: 'decline' };
    const answer = await ask(
      {
        title: l10n.t('The MCP server {0} has a question', server),
        message: oneLine(question.message, MAX_TEXT),
        why: l10n.t("Your answer is sent to the MCP server {0}. Don't enter passwords or keys.", server),
        questions: questionsOf(question, fields),
      },
      signal,
    );
    return contentOf(answer, fields);
  };
}

function questionsOf(
  { message }: ServerQuestion,
  fields: readonly (readonly [string, Field])[],
): readonly UserQuestion[] {
  // The server only asks for confirmation.
  if (fields.length === 0) {
    return [{ question: oneLine(message, MAX_TEXT), header: l10n.t('Question'), type: 'yesno' }];
  }
  return fields.map(([name, each], index) => {
    const said = each.description ?? each.title ?? name;
    const question = oneLine(index === 0 ? `${message} ${said}` : said, MAX_TEXT);
    const header = oneLine(each.title ?? name, 40);
    if (each.type === 'boolean') return { question, header, type: 'yesno' };
    const choices = choicesOf(each);
    if (choices.length === 0) return { question, header, type: 'text', ...placeholderOf(each) };
    const options = choices.map(({ label, value }) => ({ label, description: label === value ? '' : value }));
    return { question, header, type: 'choice', options, ...(each.type === 'array' && { multiSelect: true }) };
  });
}

/** Shows the default that the server uses without an answer. */
function placeholderOf({ default: usual }: Field): Pick<UserQuestion, 'placeholder'> {
  return typeof usual === 'string' || typeof usual === 'number' ? { placeholder: oneLine(`${usual}`, 200) } : {};
}

function choicesOf({ enum: values, enumNames = [], oneOf, items }: Field): readonly Choice[] {
  const titled = oneOf ?? items?.anyOf;
  const choices = titled
    ? titled.map(({ const: value, title }) => ({ value, label: title ?? value }))
    : (values ?? items?.enum ?? []).map((value, index) => ({ value, label: enumNames[index] ?? value }));
  return choices.slice(0, MAX_OPTIONS).map(({ value, label }) => ({ value, label: oneLine(label, 200) }));
}

function contentOf(answer: PersonAnswer, fields: readonly (readonly [string, Field])[]): ServerQuestionAnswer {
  if (answer.action !== 'accept') return answer;
  if (fields.length === 0)
    return isYes(answer.answers['0']) ? { action: 'accept', content: {} } : { action: 'decline' };
  const entries = fields.flatMap(([name, each], index) => {
    const value = saidValue(each, answer.answers[index]?.trim() ?? '');
    return value === undefined ? [] : [[name, value] as const];
  });
  return { action: 'accept', content: Object.fromEntries(entries) };
}

/**
 * Converts an answer to the type that the server expects. An answer that doesn't fit is passed on unchanged; the server
 * validates it.
 */
function saidValue(each: Field, said: string): string | number | boolean | string[] | undefined {
  if (said === '') return undefined;
  const choices = choicesOf(each);
  const meant = (text: string): string => choices.find(({ label }) => label === text)?.value ?? text;
  if (each.type === 'boolean') return isYes(said);
  if (each.type === 'array') return said.split(',').map((part) => meant(part.trim()));
  if (each.type === 'string') return meant(said);
  const number = Number(said);
  return Number.isNaN(number) ? said : number;
}

/** The card's answers are the same in every language. */
export function isYes(said = ''): boolean {
  return /^(yes|true)$/i.test(said.trim());
}
