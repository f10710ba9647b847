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
  const last = pageToken === '' ? undefined : placeIn(pageToken);
  const after = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw malformed('"statusTimestampAfter" is a time in ISO 8601.');
  const found: TaskProjection[] = [];
  const ids = contextId === '' ? (await tasks.sessionIds()).slice(0, MOST_SESSIONS) : [contextId];
  for (const id of ids) found.push(...((await tasks.tasksIn(id)) ?? []));
  const wanted = found.filter(({ taskState, changedAt }) => {
    const isState = status === TaskState.TASK_STATE_UNSPECIFIED || taskState === status;
    return isState && (after === undefined || changedAt > after);
  });
  const left = wanted.sort(comesAfter).filter((task) => !last || comesAfter(task, last) > 0);
  const page = left.slice(0, pageSize);
  const end = page.at(-1);
  const listed = page.map((projection) => projection.task(historyLength ?? 0));
  return {
    tasks: includeArtifacts ? listed : listed.map((task) => ({ ...task, artifacts: [] })),
    nextPageToken: end && left.length > page.length ? tokenOf(end) : '',
    pageSize,
    totalSize: wanted.length,
  };
}

type Place = Pick<TaskProjection, 'changedAt' | 'id'>;

/** The last changed is first. */
function comesAfter(one: Place, other: Place): number {
  return other.changedAt - one.changedAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}

/** Names the last task of a page, so that tasks that begin or change meanwhile move none onto the next page. */
function tokenOf({ changedAt, id }: Place): string {
  return Buffer.from(`${changedAt} ${id}`).toString('base64url');
}

function placeIn(token: string): Place {
  const [, changedAt, id] = /^(\d{1,16}) (\S{1,300})$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (changedAt === undefined || id === undefined) throw malformed('"pageToken" is not one of this server.');
  return { changedAt: Number(changedAt), id };
}

function sizeOf(wanted: number | undefined): number {
  if (wanted === undefined) return PAGE;
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= LARGEST_PAGE) return wanted;
  throw malformed(`"pageSize" is a number from 1 to ${LARGEST_PAGE}.`);
}
