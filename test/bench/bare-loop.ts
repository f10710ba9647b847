import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Content, GoogleGenAI, type Part } from '@google/genai';

/**
 * What a user would write without Gantry, as a program of its own to compare with: `bare-loop.mjs URL FILE TURNS`. It reads
 * the files that the model wants in the folder of FILE. Nothing of the test support is loaded here, so that its start and
 * its memory are those of the SDK and a loop.
 */
const [baseUrl = '', file = '', turns = '1'] = process.argv.slice(2);
const ai = new GoogleGenAI({ apiKey: 'test-key', vertexai: false, httpOptions: { baseUrl } });
const tools = [
  {
    functionDeclarations: [
      {
        name: 'read_file',
        description: 'Reads a file.',
        parametersJsonSchema: {
          type: 'object',
          properties: { file_path: { type: 'string' } },
          required: ['file_path'],
        },
      },
    ],
  },
];
const history: Content[] = [];

for (let turn = 0; turn < Number(turns); turn++) {
  history.push({ role: 'user', parts: [{ text: 'Read it' }] });
  for (;;) {
    const parts: Part[] = [];
    const config = { systemInstruction: 'You are a coding agent.', tools };
    const answer = await ai.models.generateContentStream({ model: 'gemini-2.5-flash', contents: history, config });
    for await (const chunk of answer) parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('');
    const calls = parts.filter((part) => part.functionCall);
    history.push({ role: 'model', parts: [...(text === '' ? [] : [{ text }]), ...calls] });
    if (calls.length === 0) break;
    const responses = calls.map(({ functionCall: { id, name, args } = {} }) => {
      const output = readFileSync(join(dirname(file), String(args?.['file_path'])), 'utf8');
      return {
        functionResponse: {
          ...(id !== undefined && { id }),
          ...(name !== undefined && { name }),
          response: { output },
        },
      };
    });
    history.push({ role: 'user', parts: responses });
  }
}
process.stdout.write(JSON.stringify({ maxRssKilobytes: process.resourceUsage().maxRSS }));
