import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkMessageFits, contextFull, tooLongToSummarise } from '../../../extension/context/context-problems.ts';
import { parseArguments } from '../../../extension/headless/arguments.ts';
import { noteOf } from '../../../extension/headless/notes.ts';
import { problemLine } from '../../../extension/headless/problem-lines.ts';
import { runtimeMissing } from '../../../extension/headless/problem-of.ts';
import {
  noDefaultCredentials,
  noMachineAccount,
  tokenProblem,
  tokenRefusal,
  unusableCredentials,
} from '../../../extension/model/auth/auth-problem.ts';
import { credentialProblem } from '../../../extension/model/auth/credential-problem.ts';
import type { Trouble } from '../../../extension/model/auth/credentials.ts';
import { type TokenFailure, TokenFailureError } from '../../../extension/model/auth/token-request.ts';
import { chooseModel } from '../../../extension/model/catalog/model-names.ts';
import type { ModelFailure } from '../../../extension/model/model-failure.ts';
import { modelProblem, problemOf } from '../../../extension/model/model-problem.ts';
import type { AgentEndReason } from '../../../extension/protocol/agent/agent-event.ts';
import { PROBLEM_KINDS, type Problem, ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { noPrice } from '../../../extension/runtime/model/prices.ts';
import {
  agentProblems,
  extensionProblem,
  hookProblems,
  policyProblem,
  rulesWait,
  serverProblems,
  skillProblem,
} from '../../../extension/runtime/problems/file-problems.ts';
import { loopProblem } from '../../../extension/runtime/problems/loop-texts.ts';
import { checkMessageSize } from '../../../extension/runtime/problems/message-limits.ts';
import {
  blockedByHook,
  damaged,
  heldElsewhere,
  hookFailed,
  instructionProblem,
  notKept,
  notRewindable,
  notSaved,
  savedAgain,
  telling,
  unreadable,
  unreadableFolder,
} from '../../../extension/runtime/problems/session-problems.ts';
import { notChecked } from '../../../extension/runtime/request/session-secrets.ts';
import { notWaiting } from '../../../extension/scheduler/confirmation-broker.ts';
import { logFailure } from '../../../extension/sessions/store/log-failure.ts';
import { SessionError, type SessionErrorKind } from '../../../extension/sessions/store/session-error.ts';
import { FILE_START } from '../../../extension/text/text-range.ts';
import { problemButtons } from '../../../webview/conversation/problem-presentation.ts';
import { assertGolden } from '../../support/golden.ts';
import { stamped } from './events.ts';

describe('Every problem', () => {
  it('has its words for the panel and for the command line', async () => {
    const problems = [
      ...ofModels(),
      ...ofSignIn(),
      ...ofFiles(),
      ...ofSessions(),
      ...(await ofStore()),
      ...ofMessages(),
    ];
    assert.deepEqual(
      PROBLEM_KINDS.filter((kind) => !problems.some((problem) => problem.kind === kind)),
      [],
      'kinds that nothing here shows',
    );
    const sorted = PROBLEM_KINDS.flatMap((kind) => problems.filter((problem) => problem.kind === kind));
    assertGolden(sorted.map(bothForms).join('\n\n'), 'words/problems.txt');
    for (const problem of sorted) {
      const line = problemLine(problem, 'ID');
      assert.doesNotMatch(line, /\bRetry\b|panel|button|click|\byes\b/, line);
      assert.doesNotMatch(line, /ENOENT|undefined|\{\d\}/, line);
    }
  });

  it('sends nobody to a session that is not stored', () => {
    const problem = modelProblem({ type: 'cut' }, { model: 'gemini-x', arrived: false });
    assert.match(problemLine(problem), /Run the command again/);
  });
});

describe('What else stderr says', () => {
  it('of arguments, and of how a run ends', () => {
    const wrong = [
      ['--colour'],
      ['-p'],
      ['--output', 'xml', '-p', 'Hi'],
      ['--max-turns', 'many', '-p', 'Hi'],
      ['--approval-mode', 'maybe', '-p', 'Hi'],
      ['--model', ' ', '-p', 'Hi'],
      ['--trust=no', '-p', 'Hi'],
      ['--replay', 'a', '--record', 'b', '-p', 'Hi'],
      ['--list-sessions', '-p', 'Hi'],
    ];
    const faults = wrong.map((args) => {
      const parsed = parseArguments(args);
      return `${args.join(' ')}\n  ${parsed.kind === 'invalid' ? parsed.message : parsed.kind}`;
    });
    const reasons: Readonly<Record<AgentEndReason, true>> = {
      completed: true,
      failed: true,
      aborted: true,
      max_turns: true,
      max_budget: true,
      max_time: true,
      refusal: true,
      elicitation: true,
    };
    const ends = Object.keys(reasons).map((reason) => {
      const [event] = stamped({ type: 'agent_end', reason: reason as AgentEndReason });
      return `${reason}\n  ${(event && noteOf(event)) ?? 'nothing'}`;
    });
    assertGolden([...faults, ...ends].join('\n'), 'words/command-line.txt');
  });
});

function bothForms(problem: Problem): string {
  const buttons = problemButtons({ ...problem, actions: [...problem.actions] }, false).map(({ label }) => `[${label}]`);
  return [
    problem.kind,
    `  panel:        ${problem.title} · ${problem.detail} ${buttons.join(' ')}`.trimEnd(),
    `  command line: ${problemLine(problem, 'ID')}`,
  ]
    .join('\n')
    .replaceAll('\n/', '\n    /');
}

const GOOGLE = {
  model: 'gemini-x',
  key: { value: 'AIzaSyAbcdefghijx9Qk', source: 'GEMINI_API_KEY' },
  arrived: false,
} as const;

function ofModels(): Problem[] {
  const statuses = [400, 401, 403, 404, 413, 429, 500, 503];
  const failures: readonly ModelFailure[] = [
    ...statuses.map(
      (status): ModelFailure => ({
        type: 'refused',
        status,
        error: { code: status, message: 'It says so.', status: '' },
      }),
    ),
    {
      type: 'refused',
      status: 429,
      error: { code: 429, message: '', status: '', retrySeconds: 42, quotaPeriod: 'minute' },
    },
    { type: 'refused', status: 429, error: { code: 429, message: 'limit: 0', status: '' } },
    { type: 'no-answer', code: 'ECONNREFUSED' },
    { type: 'not-gemini', status: 200, what: 'a web page' },
    { type: 'cut' },
    { type: 'cut', silent: true },
    { type: 'unreadable' },
    { type: 'empty' },
    { type: 'broken-off', finishReason: 'OTHER' },
    { type: 'blocked', part: 'answer', reason: 'SAFETY' },
  ];
  return [
    ...failures.map((failure) => modelProblem(failure, GOOGLE)),
    modelProblem({ type: 'cut' }, { ...GOOGLE, arrived: true }),
    modelProblem({ type: 'refused', status: 401 }, { model: 'gemini-x', arrived: false }),
    problemOf(new TypeError('x')),
    thrown(() => chooseModel('two words')),
    noPrice('gemini-x').problem,
  ];
}

function ofSignIn(): Problem[] {
  const troubles: readonly Trouble[] = [
    { type: 'no-key' },
    { type: 'no-address' },
    { type: 'no-project' },
    { type: 'no-client' },
    { type: 'signed-out' },
    { type: 'unusable-key', source: 'GEMINI_API_KEY' },
    { type: 'bad-address', source: 'GOOGLE_GEMINI_BASE_URL', wrong: 'is not an address' },
    { type: 'bad-headers', wrong: 'is not an object' },
    { type: 'bad-place', what: 'project', value: 'a b' },
    { type: 'insecure', source: 'GOOGLE_GEMINI_BASE_URL', hasKey: true },
    { type: 'insecure', source: 'GOOGLE_GEMINI_BASE_URL', hasKey: false },
    { type: 'token-stays', source: 'GOOGLE_GEMINI_BASE_URL' },
  ];
  const tokens: readonly TokenFailure[] = [
    { type: 'no-answer', code: 'ECONNREFUSED' },
    { type: 'unreadable', status: 200 },
    { type: 'refused', status: 503, error: '', description: '' },
    { type: 'refused', status: 400, error: 'invalid_grant', description: '' },
    { type: 'refused', status: 400, error: 'invalid_client', description: '' },
    { type: 'refused', status: 400, error: 'invalid_grant', description: 'Check your iat', aheadMs: 7_200_000 },
  ];
  const ofToken = tokens.map((failure) => tokenProblem(new TokenFailureError(failure, 'oauth.example'), 'adc'));
  return [
    ...troubles.map(credentialProblem),
    ...ofToken.flatMap((error) => (ProblemError.is(error) ? error.problem : [])),
    ...[401, 403].flatMap((status) => tokenRefusal({ type: 'refused', status }, 'adc', 'gemini-x') ?? []),
    noDefaultCredentials(undefined),
    unusableCredentials('/home/me/adc.json', 'is not JSON'),
    noMachineAccount(404),
  ];
}

/** Two errors in one file are one file. */
const WRONG = [1, 2].map((line) => ({
  file: '/work/.gemini/settings.json',
  line,
  range: FILE_START,
  text: 'It is wrong.',
}));
const WAITS = [{ file: '/work/.gemini/settings.json', line: 3, text: 'It requires approval: make', waits: true }];

function ofFiles(): Problem[] {
  return [
    ...[hookProblems, agentProblems, serverProblems].flatMap((make) => make([...WRONG, ...WAITS])),
    ...hookProblems(WRONG.map((problem) => ({ ...problem, damaged: true }))),
    skillProblem(WRONG),
    extensionProblem(WRONG),
    policyProblem('/work/a.toml:1: It is wrong.'),
    rulesWait('/work/a.toml:1: 1 rule allows calls. It counts only after you approve the file.'),
    instructionProblem('The file in GEMINI_SYSTEM_MD is not used: /work/a.md. Reason: it is empty.'),
    hookFailed('The hook lint failed.'),
    blockedByHook('Not on a Friday.'),
  ];
}

function ofSessions(): Problem[] {
  const missing = Object.assign(new Error('x'), { code: 'ENOENT' });
  return [
    notSaved(logFailure('/home/me/.gantry/log.jsonl', missing)),
    notKept('It is read-only.'),
    notRewindable('/home/me/.gantry/blobs'),
    savedAgain(),
    heldElsewhere('VS Code'),
    damaged([{ line: 3, reason: 'not JSON' }], '/home/me/.gantry/log.damaged'),
    unreadable(new Error('It is empty.')),
    unreadableFolder('/home/me/.gantry', missing).problem,
    notWaiting('q1').problem,
    runtimeMissing().problem,
  ];
}

async function ofStore(): Promise<Problem[]> {
  const kinds: Readonly<Record<SessionErrorKind, true>> = {
    'bad-id': true,
    'unknown-session': true,
    'newer-version': true,
    locked: true,
    exists: true,
  };
  return Promise.all(
    Object.keys(kinds).map(async (kind) => {
      const failing = telling(Promise.reject(new SessionError(kind as SessionErrorKind, 'Why it is so.')));
      return failing.then(
        () => assert.fail('It fails.'),
        (error: unknown) => problemOf(error),
      );
    }),
  );
}

function ofMessages(): Problem[] {
  const text = 'word '.repeat(50);
  return [
    contextFull(2_000_000, 1_000_000, 'gemini-x', [{ role: 'user', parts: [{ text }] }]).problem,
    tooLongToSummarise(2_000_000, 1_000_000).problem,
    thrown(() => checkMessageFits([{ text }], 1, 'gemini-x')),
    thrown(() => checkMessageSize([{ type: 'text', text: 'x'.repeat(3 * 1024 * 1024) }])),
    thrown(() => checkMessageSize([])),
    loopProblem({ kind: 'calls', detail: 'read_file {}' }),
    notChecked(new Error('x')).problem,
  ];
}

function thrown(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    return problemOf(error);
  }
  return assert.fail('It throws.');
}
