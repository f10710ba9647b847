import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SessionRecord } from '../../../extension/sessions/session-record.ts';
import { UsageMeter } from '../../../extension/sessions/session-totals.ts';

type Moment = readonly [
  seconds: number,
  type: 'run_started' | 'run_resumed' | 'run_ended' | 'agent_waits' | 'agent_answered' | 'asked' | 'answered',
];

/** The seconds that count as work, at the hundredth one. */
function worked(...moments: readonly Moment[]): number {
  const meter = new UsageMeter();
  for (const [seconds, type] of moments) meter.take(record(seconds, type));
  return meter.totals(100_000).milliseconds / 1000;
}

function record(seconds: number, type: Moment[1]): SessionRecord {
  const at = new Date(seconds * 1000).toISOString();
  switch (type) {
    case 'run_started':
      return { at, type };
    case 'run_ended':
      return { at, type, reason: 'completed' };
    case 'agent_waits':
    case 'agent_answered':
      return { at, type: 'agent_waits', requestId: 'of-agent', over: type === 'agent_answered' };
    case 'asked':
      return { at, type, requestId: 'own', title: '', message: '', schema: {} };
    case 'answered':
      return { at, type, requestId: 'own', action: 'accept', content: {}, by: 'panel' };
    case 'run_resumed':
      return { at, type };
  }
}

describe('The time that a session has worked', () => {
  const rows: readonly (readonly [what: string, moments: readonly Moment[], seconds: number])[] = [
    ['goes from the start of a run to now', [[10, 'run_started']], 90],
    [
      'stands still while an agent asks',
      [
        [10, 'run_started'],
        [20, 'agent_waits'],
        [50, 'agent_answered'],
      ],
      60,
    ],
    [
      'stands still until the last question is answered',
      [
        [10, 'run_started'],
        [20, 'agent_waits'],
        [30, 'asked'],
        [40, 'answered'],
        [50, 'agent_answered'],
      ],
      60,
    ],
    [
      'leaves out what lies between the last word and a restart',
      [
        [10, 'run_started'],
        [70, 'run_resumed'],
      ],
      30,
    ],
    [
      'goes on after a restart that no agent has survived',
      [
        [10, 'run_started'],
        [20, 'agent_waits'],
        [70, 'run_resumed'],
      ],
      40,
    ],
    [
      'waits on for a question of its own',
      [
        [10, 'run_started'],
        [20, 'asked'],
        [70, 'run_resumed'],
      ],
      10,
    ],
    [
      'goes on with the answer to that, whatever agents had asked',
      [
        [10, 'run_started'],
        [20, 'asked'],
        [30, 'agent_waits'],
        [70, 'run_resumed'],
        [80, 'answered'],
      ],
      30,
    ],
    [
      'ends with the run',
      [
        [10, 'run_started'],
        [20, 'agent_waits'],
        [70, 'run_resumed'],
        [75, 'run_ended'],
      ],
      15,
    ],
  ];
  for (const [what, moments, seconds] of rows) it(what, () => assert.equal(worked(...moments), seconds));
});
