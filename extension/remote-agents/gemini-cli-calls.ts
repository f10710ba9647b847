import { isObject } from '../base/objects.ts';
import type { TaskPart } from './task-update.ts';

/** A call of Gemini CLI's A2A server, which sends each change of its state as data. */
export interface ReportedCall {
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
  /** Such as `scheduled`, `awaiting_approval` or `success`. */
  readonly state: string;
}

export function reportedCall(part: TaskPart): ReportedCall | undefined {
  const data = part.kind === 'data' && isObject(part.data) ? part.data : {};
  const { request, status: state } = data;
  if (typeof state !== 'string' || !isObject(request)) return undefined;
  const { callId, name, args } = request;
  if (typeof callId !== 'string' || typeof name !== 'string') return undefined;
  return { callId, name, args, state };
}

export function callText({ name, args }: Pick<ReportedCall, 'name' | 'args'>): string {
  return `${name} ${JSON.stringify(args ?? {})}`;
}

/** The thought in a part of Gemini CLI's A2A server. */
export function reportedThought(part: TaskPart): string | undefined {
  const data = part.kind === 'data' && isObject(part.data) ? part.data : {};
  const { subject, description } = data;
  return typeof subject === 'string' && typeof description === 'string' ? `${subject}: ${description}\n` : undefined;
}
