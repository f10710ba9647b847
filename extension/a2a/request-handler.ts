import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
  taskStateToJSON,
} from '@a2a-js/sdk';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { isObject } from '../base/objects.ts';
import type { Problem } from '../protocol/agent/problem.ts';
import { callOf } from './call-facts.ts';
import { a2aError, malformed, noPush, notCancelable, unsupported } from './errors.ts';
import { joinedUpdates } from './joined-updates.ts';
import { listTasks } from './list-tasks.ts';
import type { PushNotifications } from './push-notifications.ts';
import type { FollowedTask } from './task-follower.ts';
import type { Tasks } from './tasks.ts';

export interface HandlerParts {
  readonly card: AgentCard;
  readonly tasks: Tasks;
  /** Undefined if this server sends none. */
  readonly push?: PushNotifications | undefined;
  /** The text of a problem, for people. */
  readonly textOf: (problem: Problem) => string;
}

/**
 * The methods of A2A over sessions. The SDK's own handler keeps every task in memory; here, all that is known of a task
 * is in the log of its session.
 */
export class SessionRequestHandler implements A2ARequestHandler {
  constructor(private readonly parts: HandlerParts) {}

  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(this.parts.card);
  }

  /** Resolves when the task has ended or waits for an answer, unless the client does not want to wait. */
  sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Task> {
    return this.answering(context, async () => {
      const begun = await this.send(params, context);
      try {
        if (!params.configuration?.returnImmediately) for await (const _ of begun.updates());
        return begun.task(params.configuration?.historyLength);
      } finally {
        begun.close();
      }
    });
  }

  async *sendMessageStream(params: SendMessageRequest, context: ServerCallContext): AsyncGenerator<StreamResponse> {
    const { historyLength } = params.configuration ?? {};
    yield* this.streaming(context, () => this.send(params, context), historyLength);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest, context: ServerCallContext): AsyncGenerator<StreamResponse> {
    yield* this.streaming(context, () => this.parts.tasks.subscribe(id, callOf(context)));
  }

  getTask({ id, historyLength }: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.answering(context, async () => (await this.parts.tasks.get(id)).task(historyLength));
  }

  cancelTask({ id }: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.answering(context, async () => {
      const canceled = await this.parts.tasks.cancel(id);
      if (canceled === undefined) throw notCancelable(`The task ${id} has ended.`);
      return canceled.task();
    });
  }

  /** Gantry's own method: the result of a call that ran in the client. */
  injectResult(params: unknown, context: ServerCallContext): Promise<object> {
    const { taskId, ...outcome }: Readonly<Record<string, unknown>> = isObject(params) ? params : {};
    return this.answering(context, async () => {
      const isCall = typeof outcome['callId'] === 'string' && ('result' in outcome || 'error' in outcome);
      if (typeof taskId !== 'string' || !isCall)
        throw malformed('inject_result takes {taskId, callId, result | error}.');
      const { taskState } = await this.parts.tasks.inject(taskId, outcome, callOf(context));
      return { taskId, callId: outcome['callId'], state: taskStateToJSON(taskState) };
    });
  }

  listTasks(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    return this.answering(context, () => listTasks(this.parts.tasks, params));
  }

  getAuthenticatedExtendedAgentCard(_: unknown, context: ServerCallContext): Promise<AgentCard> {
    return this.answering(context, () => Promise.reject(unsupported('There is no other card than the public one.')));
  }

  createTaskPushNotificationConfig(
    params: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answering(context, async () => this.requirePush().create(params, versionOf(context)));
  }

  getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answering(context, async () => this.requirePush().get(params));
  }

  listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.answering(context, async () => this.requirePush().list(params));
  }

  deleteTaskPushNotificationConfig(
    params: DeleteTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<void> {
    return this.answering(context, async () => this.requirePush().remove(params));
  }

  /** Sends a message. A config for push notifications is read before, and added to the task before its response. */
  private async send(params: SendMessageRequest, context: ServerCallContext): Promise<FollowedTask> {
    const given = params.configuration?.taskPushNotificationConfig;
    if (!given) return this.parts.tasks.send(params, callOf(context));
    const push = this.requirePush();
    const config = push.requireConfig(given, params.message?.taskId ?? '');
    const begun = await this.parts.tasks.send(params, callOf(context));
    await push.follow(begun.task(0).id, config, versionOf(context));
    return begun;
  }

  private requirePush(): PushNotifications {
    const { push } = this.parts;
    if (!push) throw noPush();
    return push;
  }

  /** The task as it is, then what changes. */
  private async *streaming(
    context: ServerCallContext,
    begin: () => Promise<FollowedTask>,
    historyLength?: number,
  ): AsyncGenerator<StreamResponse> {
    const followed = await this.answering(context, begin);
    try {
      yield { payload: { $case: 'task', value: followed.task(historyLength) } };
      yield* joinedUpdates(followed.updates());
    } catch (error) {
      throw a2aError(error, this.parts.textOf);
    } finally {
      followed.close();
    }
  }

  private async answering<Result>(context: ServerCallContext, work: () => Promise<Result>): Promise<Result> {
    callOf(context).reached();
    try {
      return await work();
    } catch (error) {
      throw a2aError(error, this.parts.textOf);
    }
  }
}

/** Receivers get notifications in the version in which they were named. */
function versionOf({ requestedVersion }: ServerCallContext): string {
  return requestedVersion ?? '0.3';
}
