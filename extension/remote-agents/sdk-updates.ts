import { type Artifact, type Message, type Part, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { isObject } from '../base/objects.ts';
import type { TaskState as State, TaskArtifact, TaskMessage, TaskPart, TaskStatus, TaskUpdate } from './task-update.ts';

const STATES: ReadonlyMap<TaskState, State> = new Map([
  [TaskState.TASK_STATE_SUBMITTED, 'submitted'],
  [TaskState.TASK_STATE_WORKING, 'working'],
  [TaskState.TASK_STATE_COMPLETED, 'completed'],
  [TaskState.TASK_STATE_FAILED, 'failed'],
  [TaskState.TASK_STATE_CANCELED, 'canceled'],
  [TaskState.TASK_STATE_REJECTED, 'rejected'],
  [TaskState.TASK_STATE_INPUT_REQUIRED, 'input-required'],
  [TaskState.TASK_STATE_AUTH_REQUIRED, 'auth-required'],
]);

/** Undefined if the response says nothing. */
export function updateOf({ payload }: StreamResponse): TaskUpdate | undefined {
  switch (payload?.$case) {
    case 'task':
      return taskUpdate(payload.value);
    case 'message':
      return messageUpdate(payload.value);
    case 'statusUpdate': {
      const { taskId, contextId, status } = payload.value;
      return { kind: 'status', ids: { taskId, contextId }, status: statusOf(status) };
    }
    case 'artifactUpdate': {
      const { taskId, contextId, artifact, append } = payload.value;
      return artifact && { kind: 'artifact', ids: { taskId, contextId }, artifact: artifactOf(artifact), append };
    }
    default:
      return undefined;
  }
}

export function taskUpdate({ id, contextId, status, artifacts, history }: Task): TaskUpdate {
  return {
    kind: 'task',
    ids: { taskId: id, contextId },
    status: statusOf(status),
    artifacts: artifacts.map(artifactOf),
    history: history.map(messageOf),
  };
}

export function messageUpdate(message: Message): TaskUpdate {
  const { taskId, contextId } = message;
  return { kind: 'message', ids: { taskId, contextId }, message: messageOf(message) };
}

export function sdkPart(part: TaskPart): Part {
  const base = { metadata: undefined, filename: '', mediaType: '' };
  if (part.kind === 'text') return { ...base, content: { $case: 'text', value: part.text } };
  if (part.kind === 'data')
    return { ...base, metadata: { ...part.metadata }, content: { $case: 'data', value: part.data } };
  return { ...base, filename: part.name, mediaType: part.mediaType, content: { $case: 'url', value: part.url ?? '' } };
}

function statusOf(status: Task['status']): TaskStatus {
  const state = (status && STATES.get(status.state)) ?? 'unknown';
  return { state, message: status?.message && messageOf(status.message) };
}

function messageOf({ messageId, role, parts }: Message): TaskMessage {
  return { id: messageId, isOfAgent: role !== Role.ROLE_USER, parts: parts.flatMap(partOf) };
}

function artifactOf({ artifactId, name, parts }: Artifact): TaskArtifact {
  return { id: artifactId, name, parts: parts.flatMap(partOf) };
}

function partOf({ content, metadata, filename: name, mediaType }: Part): TaskPart[] {
  switch (content?.$case) {
    case 'text':
      return [{ kind: 'text', text: content.value, isThought: metadata?.['adk_thought'] === true }];
    case 'data':
      return [{ kind: 'data', data: content.value, metadata: isObject(metadata) ? metadata : {} }];
    case 'raw':
      return [{ kind: 'file', name, mediaType, bytes: Buffer.from(content.value).toString('base64') }];
    case 'url':
      return [{ kind: 'file', name, mediaType, url: content.value }];
    default:
      return [];
  }
}
