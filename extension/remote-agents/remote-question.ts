import * as l10n from '@vscode/l10n';
import { isObject } from '../base/objects.ts';
import { isYes } from '../mcp/server-question.ts';
import type { UserQuestion } from '../protocol/agent/approval.ts';
import { approvalRequestSchema } from '../protocol/agent/approval-schema.ts';
import { decisionsOf } from '../protocol/transcript/tool-entry.ts';
import { oneLine } from '../text/one-line.ts';
import { callText, reportedCall } from './gemini-cli-calls.ts';
import type { TaskPart } from './task-update.ts';

/** What a remote agent wants to know, as questions for a person, and how the answers are sent. */
export interface RemoteQuestion {
  readonly questions: readonly UserQuestion[];
  /** `answers` are those of the person, by the index of the question. */
  reply(answers: Readonly<Record<string, string>>): readonly TaskPart[];
}

type Fields = Readonly<Record<string, unknown>>;
type Reply = (answers: readonly string[]) => TaskPart;

/** A part of what is asked, with its questions in the order of their answers. */
interface Asked {
  readonly questions: readonly UserQuestion[];
  readonly reply: Reply;
}

/** Nobody would read more. */
const MAX_TEXT = 4000;

/**
 * Agents of Gantry, of ADK and of Gemini CLI say in data what they want to know, and expect data as the answer. All
 * others are asked and answered in words.
 */
export function remoteQuestion(text: string, parts: readonly TaskPart[]): RemoteQuestion {
  const known = parts.flatMap((part) =>
    part.kind === 'data' ? (ofGantry(part.data) ?? ofAdk(part, text) ?? ofGeminiCli(part) ?? []) : [],
  );
  const asked = known.length > 0 ? known : [inWords(text)];
  return {
    questions: asked.flatMap(({ questions }) => questions),
    reply: (answers) => {
      let index = 0;
      return asked.map(({ questions, reply }) => reply(questions.map(() => answers[index++]?.trim() ?? '')));
    },
  };
}

function inWords(text: string): Asked {
  const question = oneLine(text, MAX_TEXT) || l10n.t('The agent asks for input and does not say what for.');
  return {
    questions: [{ question, header: l10n.t('Question'), type: 'text' }],
    reply: ([answer = '']) => ({ kind: 'text', text: answer, isThought: false }),
  };
}

/** A question of another Gantry: what `ask_user` asks, or whether a call may run there. */
function ofGantry(data: unknown): Asked | undefined {
  if (!isObject(data) || typeof data['requestId'] !== 'string') return undefined;
  const { requestId, title, message, schema, details } = data;
  const answer = (action: 'accept' | 'decline', content: Fields): TaskPart => {
    return { kind: 'data', data: { requestId, action, content }, metadata: {} };
  };
  const request = approvalRequestSchema().safeParse({ details, why: '', grants: [] }).data;
  if (request?.details.type === 'ask_user') {
    const { questions } = request.details;
    return { questions, reply: (given) => answer('accept', { decision: 'once', answers: { ...given } }) };
  }
  if (!isObject(schema) || !decisionsOf(schema).includes('once')) return undefined;
  const question = oneLine([title, message].filter((text) => typeof text === 'string').join(': '), MAX_TEXT);
  return {
    questions: [{ question, header: l10n.t('Approval'), type: 'yesno' }],
    reply: ([given]) => (isYes(given) ? answer('accept', { decision: 'once' }) : answer('decline', {})),
  };
}

/** ADK's own function for approvals. */
const CONFIRMATION = 'adk_request_confirmation';

/** A call of an ADK agent that waits for its result. */
function ofAdk({ data, metadata }: Extract<TaskPart, { kind: 'data' }>, text: string): Asked | undefined {
  if (metadata['adk_type'] !== 'function_call' || !isObject(data)) return undefined;
  const { id, name, args } = data;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  const answer = (response: Fields): TaskPart => {
    return { kind: 'data', data: { id, name, response }, metadata: { adk_type: 'function_response' } };
  };
  const question = oneLine(text || callText({ name, args }), MAX_TEXT);
  return name === CONFIRMATION
    ? {
        questions: [{ question, header: l10n.t('Approval'), type: 'yesno' }],
        reply: ([given]) => answer({ confirmed: isYes(given) }),
      }
    : {
        questions: [{ question, header: l10n.t('Question'), type: 'text' }],
        reply: ([given = '']) => answer({ result: given }),
      };
}

/** A call of Gemini CLI's server that waits for approval. */
function ofGeminiCli(part: TaskPart): Asked | undefined {
  const call = reportedCall(part);
  if (call?.state !== 'awaiting_approval') return undefined;
  const { callId } = call;
  return {
    questions: [{ question: oneLine(callText(call), MAX_TEXT), header: l10n.t('Approval'), type: 'yesno' }],
    reply: ([given]) => ({
      kind: 'data',
      data: { callId, outcome: isYes(given) ? 'proceed_once' : 'cancel' },
      metadata: {},
    }),
  };
}
