import { type ListTasksRequest, type ListTasksResponse, TaskState } from '@a2a-js/sdk';
import { malformed } from './errors.ts';
import type { TaskProjection } from './task-projection.ts';
import type { Tasks } from './tasks.ts';

const PAGE = 50;
const LARGEST_PAGE = 100;
/** The log of each session is read, so only the newest are listed. For an older one, name its context. */
const MOST_SESSIONS = 100;

/** The tasks of a context, or of the newest sessions, the last changed first. */
export async function listTasks(tasks: Tasks, request: ListTasksRequest): Promise<ListTasksResponse> {
  const { contextId, status, pageToken, historyLength, statusTimestampAfter, includeArtifacts = false } = request;
  const pageSize = sizeOf(request.pageSize);
  const start = pageToken === '' ? 0 : startOf(pageToken);
  const after = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw malformed('"statusTimestampAfter" is a time in ISO 8601.');
  const found: TaskProjection[] = [];
  const ids = contextId === '' ? (await tasks.sessionIds()).slice(0, MOST_SESSIONS) : [contextId];
  for (const id of ids) found.push(...((await tasks.tasksIn(id)) ?? []));
  const wanted = found.filter(({ taskState, changedAt }) => {
    const isState = status === TaskState.TASK_STATE_UNSPECIFIED || taskState === status;
    return isState && (after === undefined || changedAt > after);
  });
  const sorted = wanted.sort((one, other) => other.changedAt - one.changedAt);
  const page = sorted.slice(start, start + pageSize).map((projection) => projection.task(historyLength ?? 0));
  const end = start + pageSize;
  return {
    tasks: includeArtifacts ? page : page.map((task) => ({ ...task, artifacts: [] })),
    nextPageToken: end < sorted.length ? Buffer.from(`after ${end}`).toString('base64url') : '',
    pageSize,
    totalSize: sorted.length,
  };
}

function sizeOf(wanted: number | undefined): number {
  if (wanted === undefined) return PAGE;
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= LARGEST_PAGE) return wanted;
  throw malformed(`"pageSize" is a number from 1 to ${LARGEST_PAGE}.`);
}

function startOf(token: string): number {
  const [, start] = /^after (\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (start === undefined) throw malformed('"pageToken" is not one of this server.');
  return Number(start);
}
