import assert from 'node:assert/strict';
import type { Content, GenerateContentConfig } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { environmentNews } from '../../../../extension/context/environment/environment-text.ts';
import { attachmentPart } from '../../../../extension/protocol/agent/reference-parts.ts';
import { requestDocument, shownRequest, slugOf } from '../../../../extension/runtime/knowledge/request-document.ts';
import { requestParts } from '../../../../extension/runtime/knowledge/request-parts.ts';
import { referenceText } from '../../../../extension/runtime/message/reference-text.ts';
import type { SentRequest } from '../../../../extension/runtime/request/last-request.ts';
import { RequestCleaner } from '../../../../extension/safety/request-cleaner.ts';
import { assertGolden } from '../../../support/golden.ts';

const MEMORY = '<memory from="GEMINI.md" of="the project">\n# Style\nUse tabs.\n</memory>';

const INSTRUCTION = `You are Gantry.

# Rules

Read before you write.

\`\`\`sh
# not a heading
\`\`\`

## Git

Commit only when asked.

${MEMORY}`;

const FACTS = environmentNews({ date: { text: 'Date: today.' } }, {})?.text ?? '';

const CONTENTS: Content[] = [
  { role: 'user', parts: [{ text: FACTS }] },
  {
    role: 'user',
    parts: [
      { text: referenceText(attachmentPart({ id: 'a', kind: 'file', label: 'a.ts' }, 'let a = 1;')) },
      { inlineData: { mimeType: 'image/png', data: 'QUJD'.repeat(1024) } },
      { text: 'What is a?' },
    ],
  },
  {
    role: 'model',
    parts: [
      { text: 'I look.', thought: true },
      { functionCall: { name: 'read_file', args: { file_path: 'a.ts' } }, thoughtSignature: 'QUJD'.repeat(512) },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { name: 'read_file', response: { output: 'let a = 1;\n```\nlet b = 2;\n', lines: 3 } } },
    ],
  },
];

const CONFIG: GenerateContentConfig = {
  systemInstruction: INSTRUCTION,
  tools: [
    {
      functionDeclarations: [
        {
          name: 'read_file',
          description: 'Reads a file.\nReturns its text.',
          parametersJsonSchema: { type: 'object' },
        },
      ],
    },
    { urlContext: {} },
  ],
  temperature: 0.2,
  httpOptions: { headers: { authorization: 'Bearer planted-in-a-header' } },
};

const SENT: SentRequest = {
  model: 'gemini-2.5-pro',
  contents: CONTENTS,
  config: CONFIG,
  at: Date.UTC(2026, 0, 2, 12),
  usage: { promptTokenCount: 1000, cachedContentTokenCount: 750, candidatesTokenCount: 30, thoughtsTokenCount: 12 },
};

const written = (sent: Partial<SentRequest>): string => requestDocument({ ...SENT, ...sent, hidesMore: false });

/** The lines outside of code blocks, as CommonMark reads them. */
function outside(document: string): string[] {
  let fence = '';
  return document.split(/\r\n|\n|\r/).filter((line) => {
    const [, run = '', rest = ''] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? [];
    if (fence === '') {
      if (run !== '' && !rest.includes('`')) fence = run;
      return fence === '';
    }
    if (run.length >= fence.length && rest.trim() === '') fence = '';
    return false;
  });
}

function headings(document: string): string[] {
  return outside(document).flatMap((line) => /^#{1,6} (.*)$/.exec(line)?.[1] ?? []);
}

describe('What the Model Gets', () => {
  it('is a table of parts and each part', () => {
    // The time zone of the machine is not part of what is compared.
    const document = written({}).replace(/ on \w+ \d+, 2026, [\d:]+\s[AP]M/, ' on DATE');
    assertGolden(document.trimEnd(), 'request-document.md');
  });

  it('has the whole instruction in its sections and files', () => {
    const parts = requestParts(SENT).filter(({ group }) => group === 'instruction' || group === 'memory');
    assert.deepEqual(
      parts.map(({ group, name }) => [group, name]),
      [
        ['instruction', 'You are Gantry.'],
        ['instruction', 'Rules'],
        ['instruction', 'Git'],
        ['memory', 'GEMINI.md'],
      ],
    );
    const texts = parts.flatMap(({ blocks }) => blocks.map(({ text = '' }) => text));
    assert.equal(texts.join('\n\n'), INSTRUCTION);
  });

  it('says that the service has not counted what was not answered', () => {
    assert.match(written({ usage: undefined }), /has not counted this request/);
  });

  it('keeps every text inside its block, whatever the contents, and links only to headings', () => {
    const wild = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.constantFrom('```', '````', '~~~', '\n', '\r', '# x', '](#y)', '|', '`', ' ', '<a id="z">', 'ä', '_'),
          { maxLength: 12 },
        )
        .map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(wild, wild, wild, wild, (instruction, name, said, result) => {
        const contents: Content[] = [
          { role: 'user', parts: [{ text: said }] },
          { role: 'model', parts: [{ functionCall: { name, args: { [name]: said } } }] },
          { role: 'user', parts: [{ functionResponse: { name, response: { [name]: result, output: said } } }] },
          { role: 'user', parts: [{ inlineData: { mimeType: name, data: '', displayName: result } }] },
        ];
        const config = {
          systemInstruction: `# ${name}\n${instruction}\n\n<memory from="${said.replace(/["\n]/g, '')}" of="x">\n${result}\n</memory>`,
          tools: [{ functionDeclarations: [{ name, description: `${instruction}\n${said}` }] }],
          stopSequences: [result],
        };
        const document = requestDocument({ ...SENT, model: name, contents, config, hidesMore: true });
        const parts = requestParts({ model: name, contents, config });
        const found = headings(document);
        const groups = new Set(parts.map(({ group }) => group)).size;
        assert.equal(found.length, 1 + groups + parts.length);
        const slugs = found.map(slugOf);
        assert.equal(new Set(slugs).size, slugs.length);
        const links = outside(document).flatMap((line) =>
          [...line.matchAll(/^\| +[\d,–]+ \| \**\[.*\]\(#([^)]*)\)\**(?: \(\d+\))? \|$/g)].map(([, to]) => to),
        );
        assert.deepEqual(links, slugs.slice(1));
        // The end of each text is in the document before the heading of the next part.
        assert.ok(document.endsWith('\n```\n') || /\n`{4,}\n$/.test(document));
      }),
      { numRuns: 100 },
    );
  });

  it('has no secret, wherever it was', async () => {
    const own = 'AIzaSyA-the-key-of-the-user-1234567890ab';
    const planted = [own, `ghp_${'a1B2'.repeat(9)}`, 'correct-horse-battery', 'planted-in-a-header'];
    const [key = '', token = '', password = ''] = planted;
    const sent: SentRequest = {
      ...SENT,
      contents: [
        ...CONTENTS,
        { role: 'user', parts: [{ text: `My token is ${token}` }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'run', args: { command: `curl -H "x-goog-api-key: ${key}"` } } }],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'run', response: { output: `DB_PASSWORD=${password}\n` } } }],
        },
      ],
      config: {
        ...CONFIG,
        systemInstruction: `${INSTRUCTION}\n\n${token}`,
        tools: [{ functionDeclarations: [{ name: 'x', description: key }] }],
        stopSequences: [token],
      },
    };
    const cleaner = new RequestCleaner({ key: new Uint8Array(32), own: [own], redacts: true });
    const clean = async (request: Parameters<RequestCleaner['clean']>[0]) => cleaner.clean(request);
    const document = await shownRequest(sent, { cleanForDisplay: clean });
    for (const secret of planted) assert.ok(!document.includes(secret), secret);
    assert.match(document, /The request contained some of them/);
    const { contents, config = sent.config } = await clean(sent);
    const already = await shownRequest({ ...sent, contents, config }, { cleanForDisplay: clean });
    assert.match(already, /Secrets are replaced, here and in the request/);
  });
});
