import fc from 'fast-check';

/** The tools that the model may call: tools that only read, tools that ask first, and one that does not exist. */
const CALLS = ['look', 'fail', 'write', 'helper', 'none_such'] as const;
export type CallName = (typeof CALLS)[number];

/** The steps of a conversation, in order. Nothing runs before and after each step. */
export type ConversationStep =
  | { readonly kind: 'say'; readonly thought: boolean; readonly words: readonly string[] }
  | { readonly kind: 'tools'; readonly calls: readonly CallName[]; readonly decision: Decision }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly words: string; readonly afterwards: 'retry' | 'nothing' }
  | { readonly kind: 'stop'; readonly at: 'words' | 'tool'; readonly words: string }
  | { readonly kind: 'interject'; readonly messages: readonly Interjection[]; readonly stop: boolean }
  | { readonly kind: 'rewind'; readonly message: number; readonly undo: boolean }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'continue' }
  | { readonly kind: 'restart'; readonly at: 'rest' | 'question' | 'words' };

export type Decision = 'accept' | 'decline' | 'stop';
export type Fault = 'server' | 'cut' | 'malformed';
export type Interjection = { readonly delivery: 'steer' | 'queue'; readonly withdrawn: boolean };

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const kind = <Kind extends string>(name: Kind): fc.Arbitrary<Kind> => fc.constant(name);

const step: fc.Arbitrary<ConversationStep> = fc.oneof(
  fc.record({ kind: kind('say'), thought: fc.boolean(), words: fc.array(words, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: kind('tools'),
    calls: fc.array(fc.constantFrom(...CALLS), { minLength: 1, maxLength: 3 }),
    decision: fc.constantFrom('accept' as const, 'accept' as const, 'decline' as const, 'stop' as const),
  }),
  fc.record({
    kind: kind('fault'),
    fault: fc.constantFrom('server' as const, 'cut' as const, 'malformed' as const),
    words,
    afterwards: fc.constantFrom('retry' as const, 'nothing' as const),
  }),
  fc.record({ kind: kind('stop'), at: fc.constantFrom('words' as const, 'tool' as const), words }),
  fc.record({
    kind: kind('interject'),
    messages: fc.array(
      fc.record({ delivery: fc.constantFrom('steer' as const, 'queue' as const), withdrawn: fc.boolean() }),
      { minLength: 1, maxLength: 3 },
    ),
    stop: fc.boolean(),
  }),
  fc.record({ kind: kind('rewind'), message: fc.nat(20), undo: fc.boolean() }),
  fc.record({ kind: kind('title'), title: words }),
  fc.record({ kind: kind('continue') }),
  fc.record({
    kind: kind('restart'),
    at: fc.constantFrom('rest' as const, 'question' as const, 'words' as const),
  }),
);

export const wildConversation: fc.Arbitrary<ConversationStep[]> = fc.array(step, {
  minLength: 1,
  maxLength: 7,
  size: 'max',
});
