/** A task is one run of a session, so its id says where in which log it is. */
export interface TaskPlace {
  readonly sessionId: string;
  readonly streamId: string;
}

export function taskId({ sessionId, streamId }: TaskPlace): string {
  return `${sessionId}.${streamId}`;
}

/** Undefined for an id that no task has. The id of a stream has no dot, but that of a session may have one. */
export function taskPlace(id: string): TaskPlace | undefined {
  const at = id.lastIndexOf('.');
  if (at <= 0 || at === id.length - 1) return undefined;
  return { sessionId: id.slice(0, at), streamId: id.slice(at + 1) };
}
