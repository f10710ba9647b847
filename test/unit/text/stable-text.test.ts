import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stableText } from '../../../extension/text/stable-text.ts';

describe('stable text', () => {
  const circular: Record<string, unknown> = { a: 1 };
  circular['self'] = circular;
  const texts: readonly [what: string, args: unknown, text: string][] = [
    ['sorts keys at every depth', { b: 1, a: { d: 2, c: 3 } }, '{\0"a":{"c":3,"d":2}\0,\0"b":1\0}'],
    ['marks only the top level', { a: [{ b: 1 }] }, '{\0"a":[{"b":1}]\0}'],
    ['escapes a NUL in data', { a: '\0' }, '{\0"a":"\\u0000"\0}'],
    [
      'leaves out what JSON cannot hold',
      { a: undefined, b: () => 1, c: [undefined, Symbol('x')] },
      '{\0"c":[null,null]\0}',
    ],
    ['ends circles', circular, '{\0"a":1\0,\0"self":"[Circular]"\0}'],
    ['asks objects for their JSON', { at: new Date(0) }, '{\0"at":"1970-01-01T00:00:00.000Z"\0}'],
    ['writes big numbers as text', { a: 10n }, '{\0"a":"10"\0}'],
  ];
  for (const [what, args, text] of texts) it(what, () => assert.equal(stableText(args), text));

  it('survives an object that refuses to be JSON', () => {
    const sulky = {
      a: 1,
      toJSON: () => {
        throw new Error('no');
      },
    };
    assert.equal(stableText({ sulky }), '{\0"sulky":{"a":1}\0}');
  });
});
