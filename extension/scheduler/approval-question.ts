import type { ApprovalAnswer, ApprovalDetails, ApprovalRequest } from '../protocol/approval.ts';
import { isObject } from '../protocol/is-object.ts';
import type { Tool } from '../tools/tool.ts';
import type { Question } from './confirmation-broker.ts';
import type { OfferedGrant, Ruling } from './policy-port.ts';
import type { ToolCall } from './scheduler.ts';

export interface Asked {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** One line about the call. */
  readonly subject: string;
  readonly details: ApprovalDetails;
  readonly ruling: Ruling;
  /** What a hook has to say about it. */
  readonly hookMessage?: string | undefined;
  readonly grants: readonly OfferedGrant[];
}

/** What a person is asked about a call, and which answers count. */
export function approvalQuestion(asked: Asked): Question {
  const { call, tool, subject, details, ruling, hookMessage, grants } = asked;
  const shown = grants.map(({ id, label, covers }) => ({ id, label, covers }));
  const why = [hookMessage, ruling.why].filter((text) => text !== undefined && text !== '').join(' ');
  const request: ApprovalRequest = { details, why, grants: shown };
  return {
    callId: call.id,
    title: titleOf(details, tool),
    message: subject === '' ? `Gantry wants to use ${tool.displayName}.` : `${tool.displayName}: ${subject}`,
    schema: answerSchema(details, shown),
    request,
  };
}

function titleOf(details: ApprovalDetails, tool: Tool): string {
  switch (details.type) {
    case 'edit':
      return editTitle(details.files);
    case 'exec':
      return 'Run this command?';
    case 'fetch':
      return details.urls.length === 1 ? 'Fetch this page?' : `Fetch these ${details.urls.length} pages?`;
    case 'ask_user':
      return details.questions.length === 1
        ? 'Gantry has a question'
        : `Gantry has ${details.questions.length} questions`;
    case 'plan':
      return 'Carry out this plan?';
    default:
      return `Allow ${tool.displayName}?`;
  }
}

function editTitle(files: readonly { readonly isNew: boolean }[]): string {
  if (files.length > 1) return `Allow these edits of ${files.length} files?`;
  return files[0]?.isNew ? 'Create this file?' : 'Allow this edit?';
}

function answerSchema(details: ApprovalDetails, grants: ApprovalRequest['grants']): Question['schema'] {
  const isRemembered = grants.length > 0;
  return {
    type: 'object',
    properties: {
      decision: { type: 'string', enum: isRemembered ? ['once', 'session', 'always'] : ['once'] },
      ...(isRemembered && {
        grant: { type: 'string', enum: grants.map(({ id }) => id) },
        scope: { type: 'string', enum: ['workspace', 'user'] },
      }),
      ...(details.type === 'edit' && { contents: { type: 'object', additionalProperties: { type: 'string' } } }),
      ...(details.type === 'ask_user' && { answers: { type: 'object', additionalProperties: { type: 'string' } } }),
      ...(details.type === 'plan' && {
        approvalMode: { type: 'string', enum: ['default', 'autoEdit'] },
        plan: { type: 'string' },
      }),
      args: { type: 'object' },
      feedback: { type: 'string' },
    },
    required: ['decision'],
  };
}

/** The answer as far as it is one; what has the wrong shape counts as not said. */
export function readAnswer(content: Readonly<Record<string, unknown>>): ApprovalAnswer {
  const { decision, grant, scope, contents, feedback, args, answers, approvalMode, plan } = content;
  return {
    decision: decision === 'session' || decision === 'always' ? decision : 'once',
    ...(typeof grant === 'string' && { grant }),
    ...((scope === 'workspace' || scope === 'user') && { scope }),
    ...(isObject(contents) && { contents: textsOf(contents) }),
    ...(typeof feedback === 'string' && { feedback }),
    ...(isObject(args) && { args }),
    ...(isObject(answers) && { answers: textsOf(answers) }),
    ...((approvalMode === 'default' || approvalMode === 'autoEdit') && { approvalMode }),
    ...(typeof plan === 'string' && { plan }),
  };
}

function textsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
