import type { Content } from '@google/genai';
import fc from 'fast-check';
import { deepFreeze } from '../../../support/deep-freeze.ts';

/** A change of one of them is an error. */
export function frozen(contents: Content[]): readonly Content[] {
  deepFreeze(contents);
  return contents;
}

export function said(role: 'user' | 'model', text: string): Content {
  return { role, parts: [{ text }] };
}

export function called(...ids: readonly string[]): Content {
  return { role: 'model', parts: ids.map((id) => ({ functionCall: { id, name: 'read_file', args: { file: id } } })) };
}

export function answered(outputs: Readonly<Record<string, string>>): Content {
  const parts = Object.entries(outputs).map(([id, output]) => ({
    functionResponse: { id, name: 'read_file', response: { output } },
  }));
  return { role: 'user', parts };
}

export function sizeOf(content: Content): number {
  return JSON.stringify(content).length;
}

/** A step of a turn: words, or calls with their answers. */
const step = fc.oneof(
  fc.record({ words: fc.nat(400) }),
  fc.record({ calls: fc.array(fc.nat(2000), { minLength: 1, maxLength: 3 }) }),
);

/** Turns of a user and an agent, as they are sent: every call is answered, the last turn may still go on. */
export const conversation: fc.Arbitrary<readonly Content[]> = fc
  .array(fc.record({ message: fc.nat(400), steps: fc.array(step, { maxLength: 5 }) }), { maxLength: 8 })
  .map((turns) => {
    let count = 0;
    const contents = turns.flatMap(({ message, steps }) => [
      said('user', `m${'x'.repeat(message)}`),
      ...steps.flatMap((part) => {
        if ('words' in part) return [said('model', `w${'y'.repeat(part.words)}`)];
        const ids = part.calls.map((length) => ({ id: `call-${count++}`, length }));
        const outputs = Object.fromEntries(ids.map(({ id, length }) => [id, `o${'z'.repeat(length)}`]));
        return [called(...ids.map(({ id }) => id)), answered(outputs)];
      }),
    ]);
    return frozen(contents);
  });
