import type { HookFileProblem } from '../hooks/read-hooks.ts';
import { type Problem, ProblemError } from '../protocol/problem.ts';
import type { LogFailure } from '../sessions/store/log-failure.ts';
import type { LogDamage } from '../sessions/store/read-log.ts';
import { SessionError, type SessionErrorKind } from '../sessions/store/session-error.ts';

export function notSaved({ text }: LogFailure): Problem {
  return { kind: 'not-saved', title: 'This conversation is not being saved', detail: text, actions: ['show-log'] };
}

/** A session whose folder cannot be written to goes on in memory. */
export function notKept(reason: string): Problem {
  const detail = `${reason} The conversation can go on, and what is new in it is lost when Gantry is closed.`;
  return { kind: 'not-saved', title: 'This conversation is not being saved', detail, actions: ['show-log'] };
}

export function savedAgain(): Problem {
  const detail = 'Everything that waited in memory has been written.';
  return { kind: 'saved-again', title: 'This conversation is saved again', detail, actions: [] };
}

export function heldElsewhere(holder: string): Problem {
  return {
    kind: 'session-locked',
    title: `This session is open in ${holder}`,
    detail: 'It can be read here, and nothing was sent. Go on there, or open a copy to go on here.',
    actions: ['open-copy'],
  };
}

export function damaged(damage: readonly LogDamage[], kept: string | undefined): Problem {
  const lines = damage.map(({ line, reason }) => `line ${line} (${reason})`).join(', ');
  const where = kept === undefined ? '' : ` The damaged file is kept as ${kept}.`;
  const count = damage.length === 1 ? 'One line' : `${damage.length} lines`;
  return {
    kind: 'log-damaged',
    title: `${count} of this session could not be read`,
    detail: `Everything else is here. Lost: ${lines}.${where}`,
    actions: ['show-log'],
  };
}

export function unreadable(error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    kind: 'session-unreadable',
    title: 'This session could not be opened',
    detail: `Its log is kept. What stood in the way: ${reason}`,
    actions: ['show-log'],
  };
}

export function unreadableFolder(folder: string, cause: unknown): ProblemError {
  const detail = `Reading ${folder} is not allowed. Allow your user to read it, or name another place with GANTRY_HOME.`;
  const problem: Problem = {
    kind: 'bad-configuration',
    title: 'The stored sessions cannot be read',
    detail,
    actions: [],
  };
  return new ProblemError(problem, { cause });
}

/** A hook of the user's or the project's did not let the message, the request or the answer through. */
export function blockedByHook(reason: string): Problem {
  return { kind: 'blocked-by-hook', title: 'A hook blocked this', detail: reason, actions: [] };
}

export function hookProblem(problems: readonly HookFileProblem[]): Problem {
  const title = problems.length === 1 ? 'A hook is not in force' : `${problems.length} hooks are not in force`;
  const detail = problems.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n');
  return {
    kind: 'hook',
    title,
    detail,
    actions: problems.some(({ waits }) => waits) ? ['review-hooks'] : ['show-log'],
  };
}

export function hookFailed(text: string): Problem {
  return { kind: 'hook', title: 'A hook did not work', detail: text, actions: ['show-log'] };
}

/** Failures of the store, in the words of surfaces. */
export async function telling<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!SessionError.is(error)) throw error;
    const { kind, title } = WORDS[error.kind];
    throw new ProblemError({ kind, title, detail: error.message, actions: [] }, { cause: error });
  }
}

const WORDS: Readonly<Record<SessionErrorKind, Pick<Problem, 'kind' | 'title'>>> = {
  'bad-id': { kind: 'bad-input', title: 'That is not a session' },
  'unknown-session': { kind: 'not-found', title: 'There is no such session' },
  'newer-version': { kind: 'session-unreadable', title: 'A newer Gantry wrote this session' },
  locked: { kind: 'session-locked', title: 'This session is in use' },
  exists: { kind: 'bad-input', title: 'This session is there already' },
};

/** Something about the rules that the user should know; what they say otherwise stays in force. */
export function policyProblem(detail: string): Problem {
  return { kind: 'bad-configuration', title: 'A rule is not as it was meant', detail, actions: [] };
}
