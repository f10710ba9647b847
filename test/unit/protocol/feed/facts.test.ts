import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openEntries } from '../../../../extension/protocol/feed/facts.ts';
import type { Entry } from '../../../../extension/protocol/transcript/transcript-entry.ts';

const user = (id: string, text = id): Entry => ({ kind: 'user', id, text, messageId: id });
const answer = (id: string, text: string, state: 'streaming' | 'done' = 'streaming'): Entry => ({
  kind: 'answer',
  id,
  text,
  state,
});
const note = (id: string, canContinue?: boolean): Entry => ({
  kind: 'note',
  id,
  icon: 'stop',
  text: 'Stopped',
  ...(canContinue && { canContinue }),
});
const usage = (id: string): Entry => ({ kind: 'usage', id, inputTokens: 1, outputTokens: 1, seconds: 1 });
const problem = (id: string, kind = 'server'): Entry => ({
  kind: 'problem',
  id,
  problem: { kind, title: 'It broke', detail: 'Your message is kept.', actions: ['retry'] },
});

describe('The buttons at the end of the conversation', () => {
  const CASES: readonly [string, Entry[], string[]][] = [
    ['of a problem work while it is the last thing that happened', [user('u'), problem('p')], ['p']],
    ['of a problem work when only notes and usage follow', [problem('p'), note('n'), usage('s')], ['p']],
    ['of a problem go when the user writes on', [problem('p'), user('u')], []],
    ['of a problem go when a retry brings an answer', [problem('p'), answer('a', '')], []],
    ['belong to the newest problem', [problem('p'), problem('q')], ['q']],
    ['of a failure stay when a warning follows', [problem('p'), problem('w', 'not-saved')], ['w', 'p']],
    ['belong to the newest warning of a kind', [problem('w', 'not-saved'), problem('x', 'not-saved')], ['x']],
    ['continue from a note', [user('u'), note('n', true), usage('s')], ['n']],
    ['continue after a warning too', [note('n', true), problem('w', 'not-saved')], ['w', 'n']],
    ['do not continue from where nothing can', [user('u'), note('n')], []],
    ['do not continue from an older note', [note('n', true), note('m')], []],
    ['try the last turn again', [user('u'), answer('a', '', 'done'), usage('s')], ['s']],
    ['do not try again what the user has left', [answer('a', '', 'done'), usage('s'), user('u')], []],
    ['do not continue when the user has written on', [note('n', true), user('u')], []],
  ];
  for (const [name, entries, expected] of CASES) {
    it(name, () => assert.deepEqual([...openEntries(entries.toReversed())], expected));
  }
});
