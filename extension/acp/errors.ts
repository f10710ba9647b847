import { RequestError } from '@agentclientprotocol/sdk';
import { errorText } from '../base/errors.ts';
import { type Problem, ProblemError } from '../protocol/agent/problem.ts';

/** JSON-RPC's and ACP's codes: https://agentclientprotocol.com/protocol/v1/schema#errorcode */
const CODE = { invalidRequest: -32600, invalidParams: -32602, internal: -32603, auth: -32000, notFound: -32002 };

export function invalidParams(message: string): RequestError {
  return new RequestError(CODE.invalidParams, message);
}

export function invalidRequest(message: string): RequestError {
  return new RequestError(CODE.invalidRequest, message);
}

export function sessionNotFound(id: string): RequestError {
  return new RequestError(CODE.notFound, `There is no session ${id}.`);
}

/** `text` is the problem in words, with what to do about it. */
export function problemError({ kind, title, detail }: Problem, text: string): RequestError {
  return new RequestError(codeOf(kind), text, { kind, title, detail });
}

/** Any failure as the error of a request. `textOf` returns the text of a problem. */
export function requestError(error: unknown, textOf: (problem: Problem) => string): RequestError {
  if (error instanceof RequestError) return error;
  if (ProblemError.is(error)) return problemError(error.problem, textOf(error.problem));
  return new RequestError(CODE.internal, `Something went wrong inside Gantry: ${errorText(error)}`);
}

function codeOf(kind: Problem['kind']): number {
  switch (kind) {
    case 'no-credential':
    case 'bad-credential':
      return CODE.auth;
    case 'bad-input':
    case 'message-too-large':
    case 'session-locked':
      return CODE.invalidParams;
    case 'not-found':
      return CODE.notFound;
    default:
      return CODE.internal;
  }
}
