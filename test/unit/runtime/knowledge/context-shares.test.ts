import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import { describe, it } from 'mocha';
import { attachmentPart } from '../../../../extension/protocol/agent/reference-parts.ts';
import { contextShares, type SentContext } from '../../../../extension/runtime/knowledge/context-shares.ts';
import { mediaText, referenceText } from '../../../../extension/runtime/message/reference-text.ts';

const words = (count: number): string => 'word '.repeat(count);
const user = (...texts: string[]): Content => ({ role: 'user', parts: texts.map((text) => ({ text })) });
const model = (text: string): Content => ({ role: 'model', parts: [{ text }] });
const picture = (): Content => ({
  role: 'user',
  parts: [{ inlineData: { data: 'A'.repeat(4096), mimeType: 'image/png' } }],
});
const result = (text: string): Content => ({
  role: 'user',
  parts: [{ functionResponse: { id: 'c', name: 'read_file', response: { output: text } } }],
});

const NOTHING: SentContext = {
  contents: [],
  summaryLength: 0,
  ownKind: () => undefined,
  config: {},
  memory: 0,
  model: 'test',
  masked: 0,
  leftOut: 0,
};

const sharesOf = (used: number, sent: Partial<SentContext>): Record<string, number> =>
  Object.fromEntries(contextShares(used, { ...NOTHING, ...sent }).map(({ kind, tokens }) => [kind, tokens]));

describe('What fills the window', () => {
  it('has files with instructions apart, and never more of them than there is instruction', () => {
    const config = { systemInstruction: words(100) };
    const { instructions = 0, memory = 0 } = sharesOf(1000, { config, memory: 40 });
    assert.equal(instructions + memory, 1000);
    assert.ok(Math.abs(memory - 400) < 100, String(memory));
    assert.deepEqual(sharesOf(1000, { config, memory: 9999 }), { memory: 1000 });
  });

  it('is told by kind, and adds up to what is used', () => {
    const file = referenceText(attachmentPart({ id: 'a', kind: 'file', label: 'a.ts' }, words(300)));
    const notice = user(words(50));
    const contents = [user(words(100), file), model(words(200)), result(words(400)), notice];
    const tools = [{ functionDeclarations: [{ name: 'read_file', description: words(40) }] }];
    const shares = sharesOf(5001, {
      contents,
      ownKind: (content) => (content === notice ? 'instructions' : undefined),
      config: { systemInstruction: words(60), tools },
    });
    assert.deepEqual(Object.keys(shares), ['instructions', 'tools', 'attachments', 'messages', 'answers', 'results']);
    assert.equal(
      Object.values(shares).reduce((sum, tokens) => sum + tokens, 0),
      5001,
    );
    const { instructions = 0, attachments = 0, messages = 0, answers = 0, results = 0 } = shares;
    const scale = messages / 100;
    for (const [tokens, expected] of [
      [instructions, 110],
      [attachments, 330],
      [answers, 200],
      [results, 410],
    ] as const) {
      assert.ok(Math.abs(tokens / scale - expected) < expected * 0.15, `${tokens} of ${scale} is not ${expected}`);
    }
  });

  it('counts a snapshot as one, and the message that goes before it as said', () => {
    const shares = sharesOf(1000, { contents: [user(words(100), words(300)), model(words(100))], summaryLength: 1 });
    assert.deepEqual(Object.keys(shares), ['summary', 'messages', 'answers']);
    assert.ok((shares['summary'] ?? 0) > 2.5 * (shares['messages'] ?? 0));
  });

  it('omits what is not sent any more: masked outputs, the oldest pictures', () => {
    const said = user(words(100));
    const whole = sharesOf(100_000, { contents: [said, result(words(400)), picture(), picture()] });
    const less = sharesOf(100_000, {
      contents: [said, result(words(400)), picture(), picture()],
      masked: 300,
      leftOut: 1,
    });
    const ratio = (shares: Record<string, number>, kind: string): number =>
      (shares[kind] ?? 0) / (shares['messages'] ?? 1);
    assert.ok(ratio(less, 'results') < ratio(whole, 'results') / 2);
    assert.ok(Math.abs(ratio(less, 'attachments') - ratio(whole, 'attachments') / 2) < 0.1);
  });

  it('takes a picture with its line for an attachment', () => {
    const head = mediaText({ kind: 'image', label: 'plan.png' });
    const shares = sharesOf(1000, { contents: [user(head)] });
    assert.deepEqual(shares, { attachments: 1000 });
  });

  it('is nothing as long as nothing is used', () => {
    assert.deepEqual(contextShares(0, { ...NOTHING, config: { systemInstruction: words(60) } }), []);
    assert.deepEqual(contextShares(100, NOTHING), []);
  });
});
