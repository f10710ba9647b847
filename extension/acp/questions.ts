import type { ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { ElicitationRequestEvent, ToolRequestEvent } from '../protocol/agent/agent-event.ts';
import { decisionsOf } from '../protocol/transcript/tool-entry.ts';
import type { AcpClient } from './client.ts';
import { type Form, modelForm, planForm, questionsForm } from './forms.ts';
import { type ClientAnswer, permissionAnswer, permissionOptions } from './permission.ts';
import { approvalContent, type EditedFile, textContent } from './tool-content.ts';
import { acpKind, callTitle } from './updates.ts';

export interface QuestionParts {
  readonly client: Pick<AcpClient, 'permission' | 'form' | 'hasForms'>;
  readonly sessionId: string;
  /** The call that a question is about, if the client knows it. */
  readonly callOf: (callId: string) => ToolRequestEvent | undefined;
  /** The complete texts of an edit that requires approval. */
  readonly editsOf: (callId: string) => readonly EditedFile[];
}

/** The model asks in its answer instead. */
const NO_FORMS =
  'The editor of the user cannot show questions. Ask in your answer, and end your turn so that the user can reply.';

/**
 * Asks the user of the client. `signal` aborts when the question was answered elsewhere, or its run was stopped; the
 * promise then rejects.
 */
export async function askClient(
  event: ElicitationRequestEvent,
  parts: QuestionParts,
  signal: AbortSignal,
): Promise<ClientAnswer> {
  const { title = '', message, _meta = {} } = event;
  const { approval, modelChoice } = _meta;
  // A model that does not answer ends the run, with its error.
  if (modelChoice)
    return parts.client.hasForms ? fill(modelForm(title, message, modelChoice), event, parts, signal) : NO;
  if (!approval) return NO;
  const { details } = approval;
  if (details.type === 'ask_user') {
    if (!parts.client.hasForms) return { action: 'decline', content: { reason: NO_FORMS } };
    return fill(questionsForm(title, details.questions), event, parts, signal);
  }
  if (details.type === 'plan' && parts.client.hasForms) return fill(planForm(title, details), event, parts, signal);
  const options = permissionOptions(approval, decisionsOf(event.requestedSchema));
  const request = { sessionId: parts.sessionId, toolCall: toolCallOf(event, parts), options };
  return permissionAnswer(await parts.client.permission(request, signal), options, approval);
}

const NO: ClientAnswer = { action: 'decline', content: {} };

async function fill(
  { message, schema, answer }: Form,
  { _meta }: ElicitationRequestEvent,
  { client, sessionId }: QuestionParts,
  signal: AbortSignal,
): Promise<ClientAnswer> {
  const toolCallId = _meta?.callId;
  const scope = { sessionId, ...(toolCallId !== undefined && { toolCallId }) };
  const { action, content } = await client.form({ ...scope, mode: 'form', message, requestedSchema: schema }, signal);
  if (action === 'accept') return answer(content ?? {});
  return { action: action === 'cancel' ? 'cancel' : 'decline', content: {} };
}

/** The call of a subagent is new to the client, so the request describes it completely. */
function toolCallOf(event: ElicitationRequestEvent, { callOf, editsOf }: QuestionParts): ToolCallUpdate {
  const { requestId, title, message, _meta } = event;
  const { callId = requestId, approval } = _meta ?? {};
  const call = callOf(callId);
  const edits = approval?.details.type === 'edit' ? editsOf(callId) : [];
  const paths = edits.length > 0 ? edits.map(({ path }) => path) : (call?.paths ?? []);
  const agent = approval?.agent === undefined ? [] : [textContent(`Asked by the agent ${approval.agent}.`)];
  const why = approval?.why ? [textContent(approval.why)] : [];
  return {
    toolCallId: callId,
    title: call ? callTitle(call.name, call.display) : (title ?? message),
    kind: acpKind(call?.kind),
    status: 'pending',
    content: [...(approval ? approvalContent(approval.details, edits) : []), ...agent, ...why],
    ...(paths.length > 0 && { locations: paths.map((path) => ({ path })) }),
  };
}
