import type { Part } from '@a2a-js/sdk';
import { isObject } from '../base/objects.ts';
import type { ElicitationRequestEvent } from '../protocol/agent/agent-event.ts';
import type { ElicitationAnswer } from '../protocol/agent/agent-protocol.ts';
import type { ApprovalRequest } from '../protocol/agent/approval.ts';
import { decisionsOf } from '../protocol/transcript/tool-entry.ts';
import { malformed } from './errors.ts';
import { a2aData, a2aText } from './parts.ts';

type Fields = Readonly<Record<string, unknown>>;
/** The unanswered questions of a task, by request id, oldest first. */
export type TaskQuestions = ReadonlyMap<string, ElicitationRequestEvent>;

/** A question as a sentence for people, and with all that a program needs to show it and to answer it. */
export function questionParts({
  requestId,
  title,
  message,
  requestedSchema,
  _meta = {},
}: ElicitationRequestEvent): Part[] {
  const { callId, approval, modelChoice } = _meta;
  const call = clientCallOf(approval);
  const facts = call
    ? { type: 'client_tool_call', requestId, callId, ...call, schema: requestedSchema }
    : {
        type: 'question',
        requestId,
        ...(callId !== undefined && { callId }),
        ...(title !== undefined && { title }),
        message,
        schema: requestedSchema,
        ...approval,
        ...(modelChoice && { modelChoice }),
      };
  return [a2aText(title === undefined ? message : `${title}\n\n${message}`), a2aData(facts)];
}

/** The call that the client runs, under the name that the client gave its tool. */
function clientCallOf(approval: ApprovalRequest | undefined): { name: string; args: unknown } | undefined {
  const { details } = approval ?? {};
  if (details?.type !== 'mcp' || !isClientCall(approval)) return undefined;
  return { name: details.tool, args: JSON.parse(details.args) };
}

/** An MCP server may have the same name as the client's tools, so the name says nothing. */
function isClientCall(approval: ApprovalRequest | undefined): boolean {
  return approval?.details.type === 'mcp' && approval.details.runsInClient === true;
}

/** Whether the parts of a message contain an answer, which needs not be valid. */
export function answersQuestion({ content }: Part): boolean {
  if (content?.$case !== 'data' || !isObject(content.value)) return false;
  return (
    'requestId' in content.value || ('callId' in content.value && 'outcome' in content.value) || isResult(content.value)
  );
}

/** Whether it is the result of a call that the client ran. */
export function givesResult({ content }: Part): boolean {
  return content?.$case === 'data' && isObject(content.value) && isResult(content.value);
}

function isResult(value: Fields): boolean {
  return 'callId' in value && ('result' in value || 'error' in value);
}

/** Throws if it answers none of the questions. The session checks the content of an approval. */
export function taskAnswer({ content }: Part, open: TaskQuestions): ElicitationAnswer {
  const given = content?.$case === 'data' && isObject(content.value) ? content.value : {};
  if ('requestId' in given) return readOwn(given, open);
  return isResult(given) ? readResult(given, open) : readOutcome(given, open);
}

/** The text of a person answers what the agent asked them, but never allows a call. */
export function textAnswer(text: string, open: TaskQuestions): ElicitationAnswer | undefined {
  const asked = [...open.values()].find(({ _meta }) => _meta?.approval?.details.type === 'ask_user');
  if (!asked) return undefined;
  return { requestId: asked.requestId, action: 'accept', content: { decision: 'once', answers: { 0: text } } };
}

/** Whether the answer would decide what may run. */
export function isApproval({ requestId }: ElicitationAnswer, open: TaskQuestions): boolean {
  const { approval } = open.get(requestId)?._meta ?? {};
  return approval !== undefined && approval.details.type !== 'ask_user' && !isClientCall(approval);
}

function readOwn({ requestId, action, content = {} }: Fields, open: TaskQuestions): ElicitationAnswer {
  if (typeof requestId !== 'string' || !open.has(requestId)) {
    throw malformed(`"${String(requestId)}" is no question of this task that is open. Nothing was changed.`);
  }
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    throw malformed(`The "action" of an answer is accept, decline or cancel.`);
  }
  if (!isObject(content))
    throw malformed('The "content" of an answer is an object, as the schema of its question says.');
  if (action === 'accept' && isClientCall(open.get(requestId)?._meta?.approval)) requireResult(content);
  return { requestId, action, content };
}

/** The result of a call that ran in the client, or why there is none. */
function readResult({ callId, ...outcome }: Fields, open: TaskQuestions): ElicitationAnswer {
  const question = [...open.values()].find(({ _meta }) => {
    return typeof callId === 'string' && _meta?.callId === callId && isClientCall(_meta.approval);
  });
  if (!question) throw noSuchCall(callId);
  return { requestId: question.requestId, action: 'accept', content: requireResult(outcome) };
}

export const noSuchCall = (callId: unknown): Error =>
  malformed(`The call "${String(callId)}" of this task waits for no result. Nothing was changed.`);

function requireResult(content: Fields): Fields {
  const { error } = content;
  if ('result' in content === 'error' in content || (error !== undefined && typeof error !== 'string')) {
    throw malformed(
      'A call that ran in the client is answered with its "result", or with an "error", which is a text.',
    );
  }
  return 'result' in content ? { result: content['result'] } : { error };
}

/** The format in which clients of Gemini CLI's server answer. */
function readOutcome({ callId, outcome, newContent }: Fields, open: TaskQuestions): ElicitationAnswer {
  const question = [...open.values()].find(({ _meta }) => typeof callId === 'string' && _meta?.callId === callId);
  if (!question) throw malformed(`No question about the call "${String(callId)}" is open. Nothing was changed.`);
  const { requestId, requestedSchema, _meta } = question;
  if (outcome !== 'cancel' && isClientCall(_meta?.approval)) requireResult({});
  switch (outcome) {
    case 'cancel':
      return { requestId, action: 'cancel', content: {} };
    case 'proceed_once':
      return { requestId, action: 'accept', content: { decision: 'once', ...changedFile(newContent, _meta) } };
    case 'proceed_always':
      if (!decisionsOf(requestedSchema).includes('session')) {
        throw malformed('This call can only be allowed once, with proceed_once. The question is still open.');
      }
      return { requestId, action: 'accept', content: { decision: 'session', ...changedFile(newContent, _meta) } };
    default:
      throw malformed('The "outcome" of an answer is proceed_once, proceed_always or cancel.');
  }
}

function changedFile(newContent: unknown, meta: ElicitationRequestEvent['_meta']): Fields {
  if (newContent === undefined) return {};
  const { details } = meta?.approval ?? {};
  const [file, ...others] = details?.type === 'edit' ? details.files : [];
  if (typeof newContent !== 'string' || !file || others.length > 0) {
    throw malformed('"newContent" is the new text of the one file that the call changes.');
  }
  return { contents: { [file.fullPath ?? file.path]: newContent } };
}
