import * as l10n from '@vscode/l10n';
import { isObject } from '../base/objects.ts';
import type { Tool } from '../ports/tool.ts';
import type { ApprovalAnswer, ApprovalDetails, ApprovalRequest } from '../protocol/agent/approval.ts';
import type { Question } from './confirmation-broker.ts';
import type { OfferedGrant } from './review-ports.ts';
import type { Ruling, ToolCall } from './tool-call.ts';

export interface Asked {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** One line about the call. */
  readonly subject: string;
  readonly details: ApprovalDetails;
  readonly ruling: Ruling;
  /** The message of a hook about the call. */
  readonly hookMessage?: string | undefined;
  readonly grants: readonly OfferedGrant[];
  /** The agent that asks, if the user should know its origin. */
  readonly asker?: string | undefined;
}

/** The approval request for a call, and which answers are valid. */
export function approvalQuestion(asked: Asked): Question {
  const { call, tool, subject, details, ruling, hookMessage, grants, asker } = asked;
  const shown = grants.map(({ id, label, covers }) => ({ id, label, covers }));
  const why = [asker, hookMessage, ruling.why].filter((text) => text !== undefined && text !== '').join(' ');
  const request: ApprovalRequest = {
    details,
    why,
    grants: shown,
    ...(ruling.offersAutoAllow && !ruling.isGate && { offersAutoAllow: true }),
  };
  return {
    callId: call.id,
    title: tool.runsInClient ? l10n.t('Waiting for the result of {0}', tool.displayName) : titleOf(details, tool),
    message: subject === '' ? l10n.t('Gantry wants to use {0}.', tool.displayName) : `${tool.displayName}: ${subject}`,
    schema: tool.runsInClient ? RESULT : answerSchema(details, shown),
    request,
  };
}

function titleOf(details: ApprovalDetails, tool: Tool): string {
  switch (details.type) {
    case 'edit':
      return editTitle(details.files);
    case 'exec':
      return l10n.t('Run this command?');
    case 'fetch':
      return details.urls.length === 1
        ? l10n.t('Fetch this page?')
        : l10n.t('Fetch these {0} pages?', details.urls.length);
    case 'ask_user':
      return details.questions.length === 1
        ? l10n.t('Gantry has a question')
        : l10n.t('Gantry has {0} questions', details.questions.length);
    case 'plan':
      return l10n.t('Carry out this plan?');
    default:
      return tool.name === 'activate_skill' ? l10n.t('Use this skill?') : l10n.t('Allow {0}?', tool.displayName);
  }
}

function editTitle(files: readonly { readonly isNew: boolean }[]): string {
  if (files.length > 1) return l10n.t('Allow these edits of {0} files?', files.length);
  return files[0]?.isNew ? l10n.t('Create this file?') : l10n.t('Allow this edit?');
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

/** The schema has no decision, so a person at the panel can only reject the call. */
const RESULT: Question['schema'] = { type: 'object', properties: { result: {}, error: { type: 'string' } } };

/** Parses the answer. Fields with the wrong shape are ignored. */
export function readAnswer(content: Readonly<Record<string, unknown>>): ApprovalAnswer {
  const { decision, grant, scope, contents, feedback, args, answers, approvalMode, plan, error } = content;
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
    ...('result' in content && { result: content['result'] }),
    ...(typeof error === 'string' && { error }),
  };
}

function textsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
