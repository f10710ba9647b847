import * as l10n from '@vscode/l10n';
import { namedFailure } from '../../files/file-failure.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import type { LogFailure } from '../../sessions/store/log-failure.ts';
import type { LogDamage } from '../../sessions/store/read-log.ts';
import { SessionError, type SessionErrorKind } from '../../sessions/store/session-error.ts';

export function notSaved({ text }: LogFailure): Problem {
  return {
    kind: 'not-saved',
    title: l10n.t('This conversation is not being saved'),
    detail: text,
    actions: ['show-log'],
  };
}

/** A session continues in memory if its folder is not writable. */
export function notKept(reason: string): Problem {
  const detail = l10n.t('{0} The conversation continues, and new messages are lost when Gantry exits.', reason);
  return { kind: 'not-saved', title: l10n.t('This conversation is not being saved'), detail, actions: ['show-log'] };
}

/** Files are still changed, because the user asked for it. */
export function notRewindable(folder: string): Problem {
  return {
    kind: 'not-saved',
    title: l10n.t('File changes cannot be rewound'),
    detail: l10n.t('Gantry cannot write to {0}, so it does not keep the earlier content of files.', folder),
    actions: [],
  };
}

export function savedAgain(): Problem {
  const detail = l10n.t('All unsaved messages have been written.');
  return { kind: 'saved-again', title: l10n.t('This conversation is saved again'), detail, actions: [] };
}

export function heldElsewhere(holder: string): Problem {
  return {
    kind: 'session-locked',
    title: l10n.t('This session is open in {0}', holder),
    detail: l10n.t('Nothing was sent. Continue there, or in a copy of the session.'),
    actions: ['open-copy'],
  };
}

export function damaged(damage: readonly LogDamage[], kept: string | undefined): Problem {
  const lines = damage.map(({ line, reason }) => l10n.t('line {0} ({1})', line, reason)).join(', ');
  return {
    kind: 'log-damaged',
    title:
      damage.length === 1
        ? l10n.t('One line of this session could not be read')
        : l10n.t('{0} lines of this session could not be read', damage.length),
    detail:
      kept === undefined
        ? l10n.t('Everything else is here. Lost: {0}.', lines)
        : l10n.t('Everything else is here. Lost: {0}. The damaged file is kept as {1}.', lines, kept),
    actions: ['show-log'],
  };
}

export function unreadable(error: unknown): Problem {
  const reason = namedFailure(error);
  return {
    kind: 'session-unreadable',
    title: l10n.t('This session could not be opened'),
    detail: l10n.t('Its log is kept. The reason: {0}', reason),
    actions: ['show-log'],
  };
}

export function unreadableFolder(folder: string, cause: unknown): ProblemError {
  const detail = l10n.t(
    'Gantry has no permission to read {0}. Give your user permission to read it, or name another folder with GANTRY_HOME.',
    folder,
  );
  const problem: Problem = {
    kind: 'bad-configuration',
    title: l10n.t('The stored sessions cannot be read'),
    detail,
    actions: [],
  };
  return new ProblemError(problem, { cause });
}

/** A hook of the user or the project blocked the message, the request or the answer. */
export function blockedByHook(reason: string): Problem {
  return { kind: 'blocked-by-hook', title: l10n.t('A hook blocked this'), detail: reason, actions: [] };
}

export function instructionProblem(detail: string): Problem {
  return { kind: 'bad-configuration', title: l10n.t('Your own instruction is not used'), detail, actions: [] };
}

export function hookFailed(text: string): Problem {
  return { kind: 'hook', title: l10n.t('A hook did not work'), detail: text, actions: ['show-log'] };
}

/** Converts failures of the session store to problems. */
export async function telling<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!SessionError.is(error)) throw error;
    const { kind, title } = WORDS[error.kind];
    throw new ProblemError({ kind, title: title(), detail: error.message, actions: [] }, { cause: error });
  }
}

const WORDS: Readonly<Record<SessionErrorKind, Pick<Problem, 'kind'> & { readonly title: () => string }>> = {
  'bad-id': { kind: 'bad-input', title: () => l10n.t('That is not a session') },
  'unknown-session': { kind: 'not-found', title: () => l10n.t('There is no such session') },
  'newer-version': { kind: 'session-unreadable', title: () => l10n.t('A newer Gantry wrote this session') },
  locked: { kind: 'session-locked', title: () => l10n.t('This session is in use') },
  exists: { kind: 'bad-input', title: () => l10n.t('This session already exists') },
};
