import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commandInProcess } from '../../support/in-process.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

const streamed = (...chunks: readonly object[]): string =>
  JSON.stringify({ method: 'generateContentStream', response: chunks });
const answer = (finishReason: string | undefined, ...parts: readonly object[]): string =>
  streamed({ candidates: [{ ...(parts.length > 0 && { content: { role: 'model', parts } }), finishReason }] });
const said = (text: string): string => answer('STOP', { text });
const reads = answer('STOP', { functionCall: { name: 'read_file', args: { file_path: 'a.txt' } } });

describe('The command line with --replay', () => {
  let folder: TempWorkspace;

  beforeEach(async () => {
    folder = await createTempWorkspace({ 'a.txt': 'alpha' });
  });
  afterEach(() => folder.dispose());

  const replay = async (...lines: readonly string[]) => {
    await folder.write({ 'answers.jsonl': `${lines.join('\n')}\n` });
    const args = ['-p', 'Hi', '--workspace', folder.path, '--replay', 'answers.jsonl', '--model', 'gemini-3.8-flash'];
    return commandInProcess(args, { cwd: folder.path, environment: { GANTRY_HOME: join(folder.path, 'home') } });
  };

  describe('asks for the next answer, without a wait, after', () => {
    const bad: readonly (readonly [what: string, line: string])[] = [
      ['an empty STOP', answer('STOP')],
      ['an empty text with STOP', answer('STOP', { text: '' })],
      ['thoughts only', answer('STOP', { text: 'Hm.', thought: true })],
      ['no chunk at all', streamed()],
      ['no finish reason', answer(undefined, { text: 'Hel' })],
      ['a call that cannot be read', answer('MALFORMED_FUNCTION_CALL')],
      ['a call that was not expected', answer('UNEXPECTED_TOOL_CALL')],
      ['a blocked answer', answer('SAFETY')],
    ];
    for (const [what, line] of bad) {
      it(what, async () => {
        const { code, stdout, stderr } = await replay(line, said('Hello'));
        assert.deepEqual([code, stdout], [0, 'Hello\n'], stderr);
        assert.match(stderr, /Trying again in \d s, attempt 2 of 4\./);
      });
    }
  });

  it('gives up after as many as a model would be asked for', async () => {
    const malformed = answer('MALFORMED_FUNCTION_CALL');
    const { code, stderr } = await replay(malformed, malformed, malformed, malformed);
    assert.equal(code, 1);
    assert.match(stderr, /ended its answer early/);
  });

  it('ends well when the model has nothing to add to the results of its tools', async () => {
    const { code, stdout, stderr } = await replay(reads, answer('STOP'));
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  });
});
