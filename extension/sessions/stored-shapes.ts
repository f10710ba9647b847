import type { Event } from '@google/adk';
import type { Part } from '@google/genai';
import type { RuleDraft } from '../policy/policy-types.ts';
import type { ToolResult } from '../ports/tool.ts';
import type { CallTarget, ToolDisplay } from '../protocol/agent/agent-event.ts';
import type { Problem } from '../protocol/agent/problem.ts';

/**
 * Checks what readers of the log rely on, in types that Gantry can't describe completely. The checks are hand-written,
 * because a log has tens of thousands of values and is read while the user waits. Foreign JSON may contain null for
 * missing values.
 */
type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

export const hasFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isText: Check = (value) => typeof value === 'string';
const isList: Check = (value) => Array.isArray(value);
const ifThere =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const optionalText = ifThere(isText);
const optionalTexts = ifThere((value) => Array.isArray(value) && value.every(isText));
const optionalObject = ifThere(hasFields);

export function isPart(value: unknown): value is Part {
  if (!hasFields(value)) return false;
  const { text, functionCall, functionResponse, inlineData, fileData } = value;
  return (
    optionalText(text) &&
    optionalCall(functionCall) &&
    optionalCall(functionResponse) &&
    optionalObject(inlineData) &&
    optionalObject(fileData)
  );
}

export function isAdkEvent(value: unknown): value is Event {
  if (!hasFields(value)) return false;
  const { id, author, content, actions, errorCode, errorMessage, customMetadata, branch, usageMetadata } = value;
  return (
    isText(id) &&
    optionalText(author) &&
    optionalText(errorCode) &&
    optionalText(errorMessage) &&
    optionalText(branch) &&
    optionalText(value['isolationScope']) &&
    optionalText(value['finishReason']) &&
    optionalContent(content) &&
    optionalActions(actions) &&
    optionalMetadata(customMetadata) &&
    optionalObject(usageMetadata)
  );
}

export function isDisplay(value: unknown): value is ToolDisplay {
  if (!hasFields(value)) return false;
  const { name, description, resultSummary, result } = value;
  return [name, description, resultSummary].every(optionalText) && optionalObject(result);
}

/** A kind of a later version is a text too. */
export function isCallTarget(value: unknown): value is CallTarget {
  return hasFields(value) && optionalText(value['kind']) && optionalTexts(value['paths']);
}

export function isToolResult(value: unknown): value is ToolResult {
  if (!hasFields(value)) return false;
  const { content, data, error } = value;
  return (isText(content) || isParts(content)) && optionalObject(data) && ifThere(isToolError)(error);
}

export function isRuleDraft(value: unknown): value is RuleDraft {
  if (!hasFields(value)) return false;
  const { toolName, mcpName, commandPrefix, argsPattern, modes } = value;
  return isText(toolName) && [mcpName, commandPrefix, argsPattern].every(optionalText) && isList(modes);
}

export function isProblem(value: unknown): value is Problem {
  return hasFields(value) && [value['kind'], value['title'], value['detail']].every(isText) && isList(value['actions']);
}

const optionalParts = ifThere(isParts);
const optionalContent = ifThere(
  (value) => hasFields(value) && optionalText(value['role']) && optionalParts(value['parts']),
);
const optionalActions = ifThere((value) => hasFields(value) && optionalObject(value['stateDelta']));
const optionalMetadata = ifThere((value) => hasFields(value) && optionalProblem(value['problem']));
const optionalProblem = ifThere(isProblem);

export function isParts(value: unknown): value is Part[] {
  return Array.isArray(value) && value.every(isPart);
}

const optionalCall = ifThere((value) => {
  if (!hasFields(value)) return false;
  const { id, name, args, response } = value;
  return optionalText(id) && optionalText(name) && (args === undefined || hasFields(args)) && optionalObject(response);
});

function isToolError(value: unknown): boolean {
  return hasFields(value) && isText(value['type']) && isText(value['message']);
}
