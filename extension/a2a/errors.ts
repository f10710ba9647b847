import {
  A2AError,
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { errorText } from '../base/errors.ts';
import { type Problem, ProblemError } from '../protocol/agent/problem.ts';

/** The errors of A2A, which have codes of their own: https://a2a-protocol.org/latest/specification/#5-4 */

export const malformed = (message: string): A2AError => new RequestMalformedError(message);
export const taskNotFound = (id: string): A2AError => new TaskNotFoundError(`There is no task ${id}.`);
export const contextNotFound = (id: string): A2AError =>
  new TaskNotFoundError(`There is no session ${id}. Leave the context id out to begin one.`);
export const notCancelable = (message: string): A2AError => new TaskNotCancelableError(message);
export const unsupported = (message: string): A2AError => new UnsupportedOperationError(message);
export const noPush = (): A2AError => new PushNotificationNotSupportedError('This server sends no push notifications.');
export const noPushConfig = (taskId: string, id: string): A2AError =>
  new TaskNotFoundError(`The task ${taskId} has no push notification config ${id}.`);
export const unsupportedContent = (message: string): A2AError => new ContentTypeNotSupportedError(message);

/** Also for sessions, because a task is a part of one. */
export const isTaskNotFound = (error: unknown): boolean => error instanceof TaskNotFoundError;

/** Any failure as an error of A2A. `textOf` returns the text of a problem. */
export function a2aError(error: unknown, textOf: (problem: Problem) => string): A2AError {
  if (error instanceof A2AError) return error;
  if (!ProblemError.is(error)) return new A2AError(`Something went wrong inside Gantry: ${errorText(error)}`);
  const text = textOf(error.problem);
  switch (error.problem.kind) {
    case 'bad-input':
    case 'message-too-large':
    case 'not-waiting':
      return malformed(text);
    case 'not-found':
      return new TaskNotFoundError(text);
    case 'session-locked':
      return unsupported(text);
    default:
      return new A2AError(text);
  }
}
