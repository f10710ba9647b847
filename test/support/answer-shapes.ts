import { Language, Outcome, type Part } from '@google/genai';

/** An answer that a service may stream, and the parts of it that the next request sends back. */
export interface AnswerShape {
  readonly what: string;
  /** The bodies of the events on the wire. */
  readonly chunks: readonly object[];
  /** Without the ids of calls, which Gantry assigns. */
  readonly sentBack: readonly Part[];
}

const CALL = { functionCall: { name: 'look', args: {} } };
const SIGNED_CALL = { ...CALL, thoughtSignature: 'Y2FsbA==' };
const SIGNATURE = { text: '', thoughtSignature: 'c2ln' };
const EMPTY = { text: '' };
const HELLO = { text: 'Hello' };
const HM = { text: 'Hm.', thought: true };
const PICTURE = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
const CODE = { executableCode: { language: Language.PYTHON, code: 'print(1)' } };
const RESULT = { codeExecutionResult: { outcome: Outcome.OUTCOME_OK, output: '1' } };
const USAGE = { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 };

export function chunk(...parts: readonly object[]): object {
  return { candidates: [{ content: { role: 'model', parts }, index: 0 }], usageMetadata: USAGE };
}

export function last(...parts: readonly object[]): object {
  return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }], usageMetadata: USAGE };
}

/** Shapes of answers from the Gemini API, Vertex AI and gateways. */
export const ANSWER_SHAPES: readonly AnswerShape[] = [
  { what: 'a call, then an empty stop', chunks: [chunk(CALL), last(EMPTY)], sentBack: [CALL] },
  { what: 'a call and an empty text at once', chunks: [last(CALL, EMPTY)], sentBack: [CALL] },
  { what: 'an empty text and a call at once', chunks: [last(EMPTY, CALL)], sentBack: [CALL] },
  { what: 'an empty text, then a call', chunks: [chunk(EMPTY), last(CALL)], sentBack: [CALL] },
  { what: 'a call with an empty text of its own', chunks: [last({ ...CALL, text: '' })], sentBack: [CALL] },
  { what: 'a signed call, then an empty stop', chunks: [chunk(SIGNED_CALL), last(EMPTY)], sentBack: [SIGNED_CALL] },
  {
    what: 'several calls at once, then an empty stop',
    chunks: [chunk(SIGNED_CALL, CALL), last(EMPTY)],
    sentBack: [SIGNED_CALL, CALL],
  },
  {
    what: 'several calls one by one, then an empty stop',
    chunks: [chunk(SIGNED_CALL), chunk(CALL), chunk(CALL), last(EMPTY)],
    sentBack: [SIGNED_CALL, CALL, CALL],
  },
  {
    what: 'a signature, then text',
    chunks: [chunk(SIGNATURE), chunk({ text: 'Hel' }), last({ text: 'lo' })],
    sentBack: [HELLO, SIGNATURE],
  },
  {
    what: 'a signature, then a call',
    chunks: [chunk(SIGNATURE), last(CALL)],
    sentBack: [{ ...CALL, thoughtSignature: 'c2ln' }],
  },
  {
    what: 'a signature, then a signed call',
    chunks: [chunk(SIGNATURE), last(SIGNED_CALL)],
    sentBack: [SIGNED_CALL, SIGNATURE],
  },
  {
    what: 'a call, then a signature',
    chunks: [chunk(SIGNED_CALL), last(SIGNATURE)],
    sentBack: [SIGNED_CALL, SIGNATURE],
  },
  { what: 'text, then a signature', chunks: [chunk(HELLO), last(SIGNATURE)], sentBack: [HELLO, SIGNATURE] },
  {
    what: 'text, then a signature without a text',
    chunks: [chunk(HELLO), last({ thoughtSignature: 'c2ln' })],
    sentBack: [HELLO, SIGNATURE],
  },
  {
    what: 'signed texts',
    chunks: [chunk({ ...HELLO, thoughtSignature: 'b25l' }), last({ ...HELLO, thoughtSignature: 'dHdv' })],
    sentBack: [
      { ...HELLO, thoughtSignature: 'b25l' },
      { ...HELLO, thoughtSignature: 'dHdv' },
    ],
  },
  {
    what: 'empty texts between texts',
    chunks: [chunk(EMPTY), chunk({ text: 'Hel' }), chunk(EMPTY), chunk({ text: 'lo' }), last(EMPTY)],
    sentBack: [HELLO],
  },
  { what: 'text, a call, an empty stop', chunks: [chunk(HELLO), chunk(CALL), last(EMPTY)], sentBack: [HELLO, CALL] },
  { what: 'a call, then text', chunks: [chunk(CALL), last(HELLO)], sentBack: [CALL, HELLO] },
  {
    what: 'text between calls',
    chunks: [chunk(SIGNED_CALL), chunk(HELLO), last(CALL)],
    sentBack: [SIGNED_CALL, HELLO, CALL],
  },
  { what: 'a thought, an empty text, a call', chunks: [chunk(HM), chunk(EMPTY), last(CALL)], sentBack: [HM, CALL] },
  {
    what: 'a thought, its signature, a call',
    chunks: [chunk(HM), chunk({ ...SIGNATURE, thought: true }), last(CALL, EMPTY)],
    sentBack: [HM, { ...SIGNATURE, thought: true }, CALL],
  },
  {
    what: 'an empty thought, then a call',
    chunks: [chunk({ text: '', thought: true }), last(CALL)],
    sentBack: [CALL],
  },
  {
    what: 'a call, then only counts',
    chunks: [last(CALL), { usageMetadata: USAGE, modelVersion: 'gemini-3.8-flash' }],
    sentBack: [CALL],
  },
  {
    what: 'a call, then a candidate without content',
    chunks: [chunk(CALL), { candidates: [{ finishReason: 'STOP', index: 0 }] }],
    sentBack: [CALL],
  },
  {
    what: 'no parts, null for them and none in the list',
    chunks: [
      { candidates: [{ content: { role: 'model' } }] },
      { candidates: [{ content: { role: 'model', parts: null } }] },
      { candidates: [{ content: null, finishReason: null }], usageMetadata: null },
      chunk(CALL),
      { candidates: null },
      { candidates: [] },
      last(),
    ],
    sentBack: [CALL],
  },
  {
    what: 'null where nothing is meant',
    chunks: [last({ text: null, thought: null, thoughtSignature: null, ...CALL, inlineData: null })],
    sentBack: [CALL],
  },
  {
    what: 'media between texts',
    chunks: [chunk(HELLO), chunk(PICTURE), last(HELLO)],
    sentBack: [HELLO, PICTURE, HELLO],
  },
  {
    what: 'code that was run',
    chunks: [chunk(EMPTY), chunk(CODE), chunk(RESULT), chunk(HELLO), last(EMPTY)],
    sentBack: [CODE, RESULT, HELLO],
  },
  {
    what: 'kinds of parts that nobody knows',
    chunks: [chunk({ hologram: { depth: 3 } }), chunk(HELLO), last({ hologram: {} }, {})],
    sentBack: [HELLO],
  },
  {
    what: 'an answer to a call, which is not for a model to give',
    chunks: [chunk(HELLO), last({ functionResponse: { name: 'look', response: {} } })],
    sentBack: [HELLO],
  },
  {
    what: 'a call whose arguments came in pieces',
    chunks: [last({ functionCall: { name: 'look', args: {}, willContinue: false, partialArgs: [] } })],
    sentBack: [CALL],
  },
];
