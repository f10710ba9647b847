import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SandboxSettings } from '../../../../extension/ports/settings.ts';
import type { ApprovalMode } from '../../../../extension/protocol/agent/approval-mode.ts';
import { SessionSandbox } from '../../../../extension/runtime/policy/session-sandbox.ts';
import { Sandbox } from '../../../../extension/sandbox/sandbox.ts';
import type { SandboxSupport } from '../../../../extension/sandbox/sandbox-support.ts';
import type { Ruling } from '../../../../extension/scheduler/tool-call.ts';
import { SessionHistory } from '../../../../extension/sessions/session-history.ts';
import type { RecordBody } from '../../../../extension/sessions/session-record.ts';
import { testHost } from '../../../support/test-host.ts';

const THERE: SandboxSupport = { tool: { kind: 'bubblewrap', file: '/usr/bin/bwrap', resetsSignals: true } };
const MISSING: SandboxSupport = { missing: 'Install it.' };

const rule = (tier: 'default' | 'user'): NonNullable<Ruling['rule']> => ({
  toolName: 'run_shell_command',
  decision: 'ask_user',
  priority: 1,
  source: { tier, label: tier },
});
const ASKS: Ruling = { decision: 'ask_user', why: 'No rule.', rule: rule('default') };
const ASKS_BY_USER: Ruling = { decision: 'ask_user', why: 'Mine.', rule: rule('user') };
const GATE: Ruling = { decision: 'ask_user', why: 'It destroys.', isGate: true };
const DENY: Ruling = { decision: 'deny', why: 'No.' };
const PLAN: Ruling = {
  decision: 'deny',
  why: 'A plan.',
  rule: { ...rule('default'), toolName: '*', modes: ['plan'], decision: 'deny' },
};
const ALLOW: Ruling = { decision: 'allow', why: 'Yes.' };
const READS: Ruling = { decision: 'allow', why: 'It only reads.', runs: 'ls' };

interface Case {
  readonly settings?: Partial<SandboxSettings>;
  readonly support?: SandboxSupport;
  readonly mode?: ApprovalMode;
  readonly interactive?: boolean;
  readonly outside?: boolean;
  readonly exceptForPlans?: Ruling;
}

function sessionIn({ settings, support = THERE, mode = 'default', interactive = true }: Case): SessionSandbox {
  const sandbox: SandboxSettings = { mode: 'auto', autoAllow: true, folders: [], network: [], ...settings };
  const base = testHost({ interactive, trusted: true });
  const host = { ...base, settings: { ...base.settings, sandbox: () => sandbox } };
  const window = new Sandbox({
    settings: () => sandbox,
    environment: () => ({}),
    secrets: () => [],
    find: () => Promise.resolve(support),
  });
  const history = new SessionHistory();
  const append = (body: RecordBody): void => history.take({ ...body, at: '2026-01-01T00:00:00.000Z' });
  return new SessionSandbox({ host, sandbox: window, mode: () => mode, journal: { append, history } });
}

async function rulingIn(byRules: Ruling, where: Case): Promise<Ruling> {
  const { outside, exceptForPlans = ASKS } = where;
  return sessionIn(where).ruling({ command: 'x', ...(outside && { outside_sandbox: true }) }, byRules, () =>
    Promise.resolve(exceptForPlans),
  );
}

describe('A command that the system confines', () => {
  const cases: readonly [what: string, byRules: Ruling, where: Case, decision: Ruling['decision']][] = [
    ['needs no approval where the user said so', ASKS, {}, 'allow'],
    ['asks where they did not', ASKS, { settings: { autoAllow: false } }, 'ask_user'],
    ['asks where there is no sandbox', ASKS, { support: MISSING }, 'ask_user'],
    ['asks where the sandbox is off', ASKS, { settings: { mode: 'off' } }, 'ask_user'],
    ['asks where a rule of the user does', ASKS_BY_USER, {}, 'ask_user'],
    ['asks where it could destroy the workspace', GATE, {}, 'ask_user'],
    ['is refused where a rule refuses it', DENY, {}, 'deny'],
    ['asks by the rules when it wants out', ASKS, { outside: true }, 'ask_user'],
    ['runs outside where a rule allows it', ALLOW, { outside: true }, 'allow'],
    ['asks in yolo when it wants out', ALLOW, { outside: true, mode: 'yolo' }, 'ask_user'],
    [
      'is refused in yolo when it wants out and nobody is there',
      ALLOW,
      { outside: true, mode: 'yolo', interactive: false },
      'deny',
    ],
    ['is refused when it wants out of a plan', ALLOW, { outside: true, mode: 'plan' }, 'deny'],
    ['needs no approval in a plan, where it changes nothing', PLAN, { mode: 'plan' }, 'allow'],
    ['asks in a plan', PLAN, { mode: 'plan', settings: { autoAllow: false } }, 'ask_user'],
    [
      'runs in a plan if it only reads',
      PLAN,
      { mode: 'plan', settings: { autoAllow: false }, interactive: false, exceptForPlans: READS },
      'allow',
    ],
    [
      'is refused in a plan if it only reads but wants out',
      PLAN,
      { mode: 'plan', outside: true, exceptForPlans: READS },
      'deny',
    ],
    [
      'is refused in a plan if it only reads and there is no sandbox',
      PLAN,
      { mode: 'plan', support: MISSING, exceptForPlans: READS },
      'deny',
    ],
    ['is refused in a plan where a rule of the user refuses it', DENY, { mode: 'plan' }, 'deny'],
    [
      'is refused in a plan where a rule of the user refuses a part of it',
      PLAN,
      { mode: 'plan', exceptForPlans: { ...DENY, rule: { ...rule('user'), decision: 'deny' } } },
      'deny',
    ],
    [
      'asks in a plan where a rule of the user asks about a part of it',
      PLAN,
      { mode: 'plan', exceptForPlans: ASKS_BY_USER },
      'ask_user',
    ],
    ['is refused in a plan without a sandbox', PLAN, { mode: 'plan', support: MISSING }, 'deny'],
    [
      'is refused where the sandbox is required and missing',
      ALLOW,
      { settings: { mode: 'required' }, support: MISSING },
      'deny',
    ],
  ];
  for (const [what, byRules, where, decision] of cases) {
    it(what, async () => {
      assert.equal((await rulingIn(byRules, where)).decision, decision);
    });
  }

  it('may run only inside when the sandbox is why it may', async () => {
    assert.equal((await rulingIn(ASKS, {})).onlyConfined, true);
    assert.equal((await rulingIn(ALLOW, {})).onlyConfined, undefined);
    const plan = { mode: 'plan', settings: { autoAllow: false }, exceptForPlans: READS } as const;
    assert.deepEqual(await rulingIn(PLAN, plan), { ...READS, onlyConfined: true });
  });

  const ASKED = { autoAllow: false, offersAutoAllow: true };
  const offers: readonly [what: string, byRules: Ruling, where: Case, offered: boolean][] = [
    ['where it asks and the user has not decided', ASKS, { settings: ASKED }, true],
    ['not where they have', ASKS, { settings: { autoAllow: false } }, false],
    ['not where nobody can be asked', ASKS, { settings: ASKED, interactive: false }, false],
    ['not where there is no sandbox', ASKS, { settings: ASKED, support: MISSING }, false],
    ['not where it is off', ASKS, { settings: { ...ASKED, mode: 'off' } }, false],
    ['not for what would ask all the same', GATE, { settings: ASKED }, false],
    ['not where a rule of the user asks', ASKS_BY_USER, { settings: ASKED }, false],
    ['not for what wants out', ASKS, { settings: ASKED, outside: true }, false],
    ['not for what is allowed anyway', ALLOW, { settings: ASKED }, false],
    ['not in a plan', PLAN, { settings: ASKED, mode: 'plan' }, false],
  ];
  for (const [what, byRules, where, offered] of offers) {
    it(`offers to ask no more ${what}`, async () => {
      assert.equal((await rulingIn(byRules, where)).offersAutoAllow ?? false, offered);
    });
  }

  it('offers that with one command of a session, however often that is judged', async () => {
    const session = sessionIn({ settings: ASKED });
    const offered = async (command: string): Promise<boolean> =>
      (await session.ruling({ command }, ASKS, () => Promise.resolve(ASKS))).offersAutoAllow ?? false;
    assert.deepEqual([await offered('a'), await offered('b'), await offered('a')], [true, false, true]);
  });

  it('may change and reach what the user opened, from then on', () => {
    const session = sessionIn({});
    assert.deepEqual([session.opened('folder'), session.opened('host')], [[], []]);
    session.allow({ callId: '1', kind: 'folder', what: '/data', always: false });
    session.allow({ callId: '1', kind: 'host', what: 'example.com', always: true });
    assert.deepEqual([session.opened('folder'), session.opened('host')], [['/data'], ['example.com']]);
  });

  it('is opened to a host that is named, not to many and not to what is none', async () => {
    const session = sessionIn({});
    const hosts = ['example.com', 'example.com:8443', '*.example.com', 'https://example.com', ''];
    const may = await Promise.all(hosts.map((what) => session.mayAllow({ kind: 'host', what })));
    assert.deepEqual(may, [true, true, false, false, false]);
  });

  it('says what to do where it is refused for lack of a sandbox', async () => {
    const { why } = await rulingIn(ALLOW, { settings: { mode: 'required' }, support: MISSING });
    assert.match(why, /must run in a sandbox, and there is none\. Install it\./);
  });
});
