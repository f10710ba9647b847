import assert from 'node:assert/strict';
import type { InvocationContext, LlmRequest } from '@google/adk';
import type { Content } from '@google/genai';
import { describe, it } from 'mocha';
import { ToolOutputMaskingProcessor } from '../../../../extension/runtime/request/masking-processor.ts';
import { SavedOutputs } from '../../../../extension/runtime/request/saved-outputs.ts';
import { SessionSecrets } from '../../../../extension/runtime/request/session-secrets.ts';
import { testHost } from '../../../support/test-host.ts';

const OUTPUT = 'export const alpha = compute(beta, 42);\n'.repeat(100);

/** A call and its output, many times. */
function longHistory(calls: number): Content[] {
  return Array.from({ length: calls }, (_, at): Content[] => {
    const named = { id: `call-${at}`, name: 'read_file' };
    return [
      { role: 'model', parts: [{ functionCall: { ...named, args: { file_path: `${at}.ts` } } }] },
      { role: 'user', parts: [{ functionResponse: { ...named, response: { output: `${at}\n${OUTPUT}` } } }] },
    ];
  }).flat();
}

describe('The first request of a resumed conversation', () => {
  it('lets the rest of the process continue while old outputs are masked and all is searched for secrets', async () => {
    const host = testHost();
    const masking = new ToolOutputMaskingProcessor(new SavedOutputs(undefined, host.log), host.log, () => undefined);
    const secrets = new SessionSecrets({
      host,
      namingKey: () => Promise.resolve(new Uint8Array(32)),
      history: () => [],
    });
    const history = longHistory(500);
    const request = { contents: [...history] } as LlmRequest;
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    for await (const _ of masking.runAsync({} as InvocationContext, request));
    const { contents } = await secrets.clean(request);
    isOver = true;
    assert.equal(contents.length, history.length);
    assert.match(JSON.stringify(contents[1]), /tool_output_masked/);
    assert.ok(turns >= 3, `${turns}`);
  });
});
