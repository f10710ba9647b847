import assert from 'node:assert/strict';
import type { Content, GenerateContentConfig } from '@google/genai';
import fc from 'fast-check';
import { RequestBodyCache } from '../../../../extension/model/http/request-body-cache.ts';
import { elementEnds } from '../../../../extension/model/json.ts';

const REST = { systemInstruction: 'Be brief: ],[{}', tools: [] };

/** What the SDK would do: the contents and the configuration that it is given. */
function sent(
  written: RequestBodyCache,
  contents: Content[],
  config: GenerateContentConfig = { ...REST },
): { readonly body: unknown; readonly asked: number } {
  const request = written.of({ model: 'm', contents, config }, 'ask');
  const { body } = request.whole({
    head: HEAD,
    body: JSON.stringify({ contents: request.contents, ...request.config }),
  });
  return { body: read(body), asked: request.contents.length };
}

const HEAD = { url: 'https://example.com', method: 'POST', headers: { 'x-a': 'b' } };

function read(body: readonly Uint8Array[]): unknown {
  return JSON.parse(Buffer.concat(body).toString('utf8'));
}

function said(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}

describe('Contents that were written before', () => {
  it('go with the next request as they were, and only what is new is written', () => {
    const written = new RequestBodyCache(false);
    const contents = [said('one'), said('zwei: ü "\\" ] ,'), said('三 😀')];
    assert.deepEqual(sent(written, contents), { body: { contents, ...REST }, asked: 3 });
    contents.push(said('four'), said('five'));
    assert.deepEqual(sent(written, contents), { body: { contents, ...REST }, asked: 2 });
    assert.deepEqual(sent(written, contents), { body: { contents, ...REST }, asked: 1 }, 'a retry');
  });

  it('are written again from the first that is another one', () => {
    const written = new RequestBodyCache(false);
    const contents = [said('one'), said('two'), said('three'), said('four')];
    sent(written, contents);
    contents[2] = said('other');
    assert.deepEqual(sent(written, contents), { body: { contents, ...REST }, asked: 2 });
  });

  it('go with the configuration of the last request as long as it is the same, and then with the new one', () => {
    const written = new RequestBodyCache(false);
    const contents = [said('one')];
    const instructions = ['Be brief.', 'Be brief.', 'Be ] "long" }.', 'Be ] "long" }.'];
    const asked = instructions.map((systemInstruction, at) => {
      contents.push(said(`${at}`));
      const config = { systemInstruction, tools: [{ functionDeclarations: [] }] };
      const { body } = sent(written, contents, config);
      assert.deepEqual(body, { contents, ...config });
      return written.of({ model: 'm', contents, config: { ...config } }, 'ask').config;
    });
    assert.deepEqual(asked, [{}, {}, {}, {}], 'a retry has the same');
    assert.deepEqual(written.of({ model: 'm', contents, config: REST }, 'ask').config, REST);
  });

  it('are those of any growing, cut and changed conversation, whatever else is asked between', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const step = fc.record({
      keep: fc.nat(8),
      add: fc.array(text, { minLength: 1, maxLength: 4 }),
      instruction: fc.constantFrom('', 'Be brief: ],[{}', '😀'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const written = new RequestBodyCache(false);
        let contents: Content[] = [said('first')];
        for (const { keep, add, instruction } of steps) {
          contents = [...contents.slice(0, keep + 1), ...add.map(said)];
          sent(written, [said('beside')]);
          const config = { systemInstruction: instruction };
          const { body } = sent(written, contents, config);
          assert.deepEqual(body, JSON.parse(JSON.stringify({ contents, ...config })));
        }
      }),
    );
  });
});

describe('A request that adds plain contents to the last one', () => {
  it('is written without the SDK, and what was sent before stays as it was', () => {
    const written = new RequestBodyCache(false);
    const contents = [said('one')];
    sent(written, contents);
    const bodies = ['two: ü', 'three 😀'].map((words) => {
      contents.push(said(words));
      return written.of({ model: 'm', contents, config: { ...REST } }, 'ask').alone();
    });
    assert.deepEqual(
      bodies.map((request) => request && { ...request, body: read(request.body) }),
      [2, 3].map((count) => ({ ...HEAD, body: { contents: contents.slice(0, count), ...REST } })),
    );
  });

  it('needs the SDK for another model, way to ask or configuration, and for other contents', () => {
    const written = new RequestBodyCache(false);
    const contents = [said('one')];
    sent(written, contents);
    const media = { role: 'user', parts: [{ inlineData: { data: '', mimeType: 'image/png' } }] };
    const config = { ...REST };
    const others = [
      written.of({ model: 'n', contents: [...contents, said('two')], config }, 'ask'),
      written.of({ model: 'm', contents: [...contents, said('two')], config }, 'ask at once'),
      written.of({ model: 'm', contents: [...contents, said('two')], config: { systemInstruction: '' } }, 'ask'),
      written.of({ model: 'm', contents: [...contents, media], config }, 'ask'),
      written.of({ model: 'm', contents: [said('one')], config }, 'ask'),
    ];
    assert.deepEqual(
      others.map((request) => request.alone()),
      others.map(() => undefined),
    );
  });
});

describe('The ends of the elements of a JSON array', () => {
  it('are where the next begins, whatever the elements are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const text = JSON.stringify(values);
        const ends = elementEnds(text, 1);
        const read = ends.map((end, index) =>
          JSON.parse(text.slice(index === 0 ? 1 : (ends[index - 1] ?? 0) + 1, end)),
        );
        assert.deepEqual(read, JSON.parse(text));
      }),
    );
  });
});
