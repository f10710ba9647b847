import assert from 'node:assert/strict';
import { type Content, GoogleGenAI, type Part } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { writtenPlainly } from '../../../../extension/model/http/plain-contents.ts';
import { RequestWriters } from '../../../../extension/model/http/request-writer.ts';
import { runs } from '../../../support/test-size.ts';

const SERVICES = { 'the Gemini API': false, 'Vertex AI': true } as const;

for (const [service, vertexai] of Object.entries(SERVICES)) {
  describe(`Contents that are written for ${service} without the SDK`, () => {
    const place = { apiKey: 'none', ...(vertexai && { project: 'p', location: 'global' }) };
    const writers = new RequestWriters((send) => new GoogleGenAI({ ...place, vertexai, httpOptions: { fetch: send } }));

    async function bySdk(contents: Content[]): Promise<string> {
      const { body } = await writers.write((client) => client.models.generateContentStream({ model: 'm', contents }));
      return body;
    }

    const begins = (contents: readonly string[]): string => `{"contents":[${contents.join(',')}]`;

    it('are the same bytes as those of the SDK, or are left to it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyContent, { minLength: 1, maxLength: 3 }), async (contents) => {
          const written = writtenPlainly(contents, vertexai);
          if (written === undefined) return;
          const sent = await bySdk(contents);
          assert.equal(sent.slice(0, begins(written).length), begins(written));
        }),
        { numRuns: runs(300, 20_000) },
      );
    });

    it('are texts, thoughts, calls and results', async () => {
      const contents = [
        { role: 'user', parts: [{ text: 'Read' }] },
        {
          role: 'model',
          parts: [
            { text: 'Hm', thought: true },
            { functionCall: CALL, thoughtSignature: 'c2ln' },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'read', response: { output: 'ü' } } }] },
      ];
      const written = writtenPlainly(contents, vertexai);
      assert.ok(written);
      assert.ok((await bySdk(contents)).startsWith(begins(written)));
    });

    const OTHERS: Record<string, Content> = {
      media: { role: 'user', parts: [{ inlineData: { data: '', mimeType: 'image/png' } }] },
      'arguments of a call that are streamed': {
        role: 'model',
        parts: [{ functionCall: { ...CALL, partialArgs: [] } }],
      },
      'media of a result': { role: 'user', parts: [{ functionResponse: { name: 'a', response: {}, parts: [] } }] },
      'a content without a role': { parts: [{ text: 'Read' }] },
    };
    for (const [what, content] of Object.entries(OTHERS)) {
      it(`have no ${what}`, () => assert.equal(writtenPlainly([content], vertexai), undefined));
    }
  });
}

const CALL = { id: 'c', name: 'read', args: { path: 'a', deep: [{ b: null }] } };

/** Fields in any order, and some of them absent. */
function record<T extends Record<string, fc.Arbitrary<unknown>>>(
  fields: T,
): fc.Arbitrary<Partial<Record<keyof T, unknown>>> {
  return fc.tuple(fc.record(fields, { requiredKeys: [] }), fc.infiniteStream(fc.nat())).map(
    ([value, order]) =>
      Object.fromEntries(
        Object.entries(value)
          .map((entry) => ({ entry, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ entry }) => entry),
      ) as Partial<Record<keyof T, unknown>>,
  );
}

const word = fc.oneof(fc.string(), fc.constant(undefined), fc.constant(null));
const json = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.constant(undefined));
const part: fc.Arbitrary<Part> = record({
  text: word,
  thought: fc.oneof(fc.boolean(), fc.constant(undefined)),
  thoughtSignature: word,
  functionCall: record({ id: word, name: word, args: json }),
  functionResponse: record({ id: word, name: word, response: json }),
}) as fc.Arbitrary<Part>;
const anyContent: fc.Arbitrary<Content> = fc.record({
  role: fc.constantFrom('user', 'model'),
  parts: fc.array(part, { maxLength: 3 }),
});
