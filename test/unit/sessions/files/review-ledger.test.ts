import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ReviewLedger, type UnreviewedFile } from '../../../../extension/sessions/files/review-ledger.ts';
import type { RecordBody, SessionRecord } from '../../../../extension/sessions/session-record.ts';

const AT = '2026-01-01T00:00:00.000Z';

const change = (before: string | null, after: string | null, cause: object = { callId: 'auto' }): RecordBody => ({
  type: 'file_change',
  path: '/a',
  before,
  after,
  ...cause,
});
const rewound = (before: string | null, after: string | null): RecordBody => change(before, after, { rewindId: 'r' });
const verdict = (baseline: string | null, current: string | null): RecordBody => ({
  type: 'reviewed',
  id: 'v',
  path: '/a',
  baseline,
  current,
});
const asked = (callId: string): RecordBody => ({
  type: 'asked',
  requestId: `q-${callId}`,
  callId,
  title: '',
  message: '',
  schema: {},
});
const answered = (callId: string, action: 'accept' | 'decline', by: string): RecordBody => ({
  type: 'answered',
  requestId: `q-${callId}`,
  action,
  content: {},
  by,
});
const byPerson = (before: string | null, after: string | null): RecordBody[] => [
  asked('seen'),
  answered('seen', 'accept', 'panel'),
  change(before, after, { callId: 'seen' }),
];

function ledgerOf(bodies: readonly RecordBody[]): ReviewLedger {
  const ledger = new ReviewLedger();
  for (const body of bodies) ledger.take({ ...body, at: AT } as SessionRecord);
  return ledger;
}

const unreviewed = (...bodies: RecordBody[]): readonly UnreviewedFile[] => ledgerOf(bodies).unreviewed;
const waits = (baseline: string | null, current: string | null, holdsOthersEdits = false): UnreviewedFile[] => [
  { path: '/a', baseline, current, holdsOthersEdits },
];

describe('Which changes wait for a look', () => {
  const cases: readonly (readonly [string, readonly RecordBody[], readonly UnreviewedFile[]])[] = [
    ['none without changes', [], []],
    ['one that a mode or a rule allowed', [change('0', '1')], waits('0', '1')],
    ['several of one file, from before the first', [change('0', '1'), change('1', '2')], waits('0', '2')],
    ['a new file', [change(null, '1')], waits(null, '1')],
    ['a removed file', [change('0', null)], waits('0', null)],
    ['none that a person said yes to', byPerson('0', '1'), []],
    [
      'what a rule let through after it was asked',
      [asked('c'), answered('c', 'accept', 'rule'), change('0', '1', { callId: 'c' })],
      waits('0', '1'),
    ],
    ['one that came after a yes', [...byPerson('0', '1'), change('1', '2')], waits('1', '2')],
    ['an unseen one below one that was seen', [change('0', '1'), ...byPerson('1', '2')], waits('0', '2')],
    ['none that was taken back because it could not be written', [change('0', '1'), change('1', '0')], []],
    [
      'none of what was seen and could not be written',
      [...byPerson('0', '1'), change('1', '0', { callId: 'seen' })],
      [],
    ],
    ['not the edit that the user made before it', [...byPerson('0', '1'), change('mine', '2')], waits('mine', '2')],
    [
      'the first one still, when the user edited in between',
      [change('0', '1'), change('mine', '2')],
      waits('0', '2', true),
    ],
    [
      'with that edit still, after a verdict on a part',
      [change('0', '1'), change('mine', '2'), verdict('half', '2')],
      waits('half', '2', true),
    ],
    [
      'without it, after a verdict on all',
      [change('0', '1'), change('mine', '2'), verdict('2', '2'), change('2', '3')],
      waits('2', '3'),
    ],
    ['none after a verdict on all of it', [change('0', '1'), verdict('1', '1')], []],
    ['the rest after a verdict on a part', [change('0', '1'), verdict('half', '1')], waits('half', '1')],
    ['one after a verdict', [change('0', '1'), verdict('1', '1'), change('1', '2')], waits('1', '2')],
    ['none that a rewind took back', [change('0', '1'), rewound('1', '0')], []],
    ['again when the rewind is undone', [change('0', '1'), rewound('1', '0'), rewound('0', '1')], waits('0', '1')],
    ['none when what comes back was seen', [...byPerson('0', '1'), rewound('1', '0'), rewound('0', '1')], []],
    [
      'none after a rewind behind a verdict',
      [change('0', '1'), verdict('1', '1'), change('1', '2'), rewound('2', '0')],
      [],
    ],
    ['the first after a rewind to it', [change('0', '1'), change('1', '2'), rewound('2', '1')], waits('0', '1')],
    [
      'again when a rewind over the edit of the user is undone',
      [change('0', '1'), rewound('mine', '0'), rewound('0', 'mine')],
      waits('0', 'mine', true),
    ],
  ];
  for (const [name, records, expected] of cases) {
    it(name, () => assert.deepEqual(unreviewed(...records), expected));
  }

  it('knows of a verdict whether its write is known to have happened', () => {
    const begun = [change('0', '1'), change('1', '0', { reviewId: 'v' })];
    assert.equal(ledgerOf(begun).isOpen('v'), true);
    assert.equal(ledgerOf([...begun, verdict('0', '0')]).isOpen('v'), false);
  });

  it('keeps what was taken back for the model', () => {
    const taken: RecordBody = { type: 'reviewed', id: 'v', path: '/a', baseline: '0', current: '0', undone: '-x' };
    assert.deepEqual(
      ledgerOf([change('0', '1'), verdict('1', '1'), taken]).undone.map(({ undone }) => undone),
      ['-x'],
    );
  });
});

describe('Any order of changes and verdicts', () => {
  const version = fc.constantFrom<string | null>(null, '0', '1', '2', '3');
  const step = fc.oneof(
    fc.tuple(version, version).map(([before, after]) => [change(before, after)]),
    fc.tuple(version, version).map(([before, after]) => [rewound(before, after)]),
    fc.tuple(version, version).map(([before, after]) => byPerson(before, after)),
    fc.tuple(version, version).map(([baseline, current]) => [verdict(baseline, current)]),
  );
  const steps = fc.array(step, { maxLength: 12 }).map((all) => all.flat());

  it('leaves nothing to look at once all of it was looked at', () => {
    fc.assert(
      fc.property(steps, (bodies) => {
        const [file] = unreviewed(...bodies);
        const { current = null } = file ?? {};
        assert.deepEqual(unreviewed(...bodies, ...(file ? [verdict(current, current)] : [])), []);
      }),
    );
  });

  it('never marks an unseen change as seen because of what came before it', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom('new-1', 'new-2'), (bodies, after) => {
        const before = unreviewed(...bodies)[0]?.current ?? 'somewhere';
        const [file] = unreviewed(...bodies, change(before, after));
        assert.equal(file?.current, after);
      }),
    );
  });
});
