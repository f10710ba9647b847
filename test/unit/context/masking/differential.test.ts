import assert from 'node:assert/strict';
import type { Config } from '@google/gemini-cli-core';
import { ToolOutputMaskingService } from '@google/gemini-cli-core/dist/src/context/toolOutputMaskingService.js';
import { debugLogger } from '@google/gemini-cli-core/dist/src/utils/debugLogger.js';
import { estimateTokenCountSync } from '@google/gemini-cli-core/dist/src/utils/tokenCalculation.js';
import type { Content, Part } from '@google/genai';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { maskOutput } from '../../../../extension/context/masking/mask-output.ts';
import { OutputMasking } from '../../../../extension/context/masking/output-masking.ts';
import { conversationOf, output, requestsOf, wildConversation } from '../../../support/masked-history.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { runs } from '../../../support/test-size.ts';

/**
 * Gemini CLI masks the same conversation, request after request, with its own token counts. Where we differ on purpose:
 * 1. An output that a note would not make shorter is decided once. There it counts again at every request, so that from
 *    30,000 such tokens on each request masks something and the server's cache begins anew.
 * 2. Commands that wrote few, but very long lines are masked too: their lines are cut.
 * 3. Whether an output has the mask's tag in it says nothing: a page could keep itself in every request that way.
 * 4. What is masked follows from the conversation. There it is in the history, which is changed.
 * 5. Names of files have no random part, and a file is written only when its output is masked.
 * 6. What a tool said is saved as it said it, not as JSON.
 */
describe('Masking beside that of Gemini CLI', () => {
  let folder: TempFolder;
  const { debug } = debugLogger;
  before(async () => {
    debugLogger.debug = () => undefined;
    folder = await tempFolder('masking');
  });
  after(async () => {
    debugLogger.debug = debug;
    await folder.dispose();
  });

  it('masks the same outputs at each request', async () => {
    await fc.assert(
      fc.asyncProperty(wildConversation(), async (contents) => {
        const theirs = new Theirs(folder.path);
        const ours = masking();
        for (const request of requestsOf(contents)) {
          const expected = await theirs.masked(request);
          assert.deepEqual(placesOf(request, ours.masks(request)), expected);
        }
      }),
      { numRuns: runs(10, 100) },
    );
  });

  it('differs where small outputs trigger a round of their own (1)', async () => {
    const small = Array.from({ length: 700 }, () => [['read_file', 200]] as const);
    const large = Array.from({ length: 12 }, () => [['read_file', 20_000]] as const);
    const contents = conversationOf([small, large, large]);
    // The difference is in the last requests. A sixth of them is enough: theirs counts all tokens again for each one.
    const requests = requestsOf(contents).filter((_, index) => index >= 650 && index % 6 === 0);
    assert.ok((await changesOf(requests, folder.path)) > oursChangesOf(requests));
  });

  it('differs where lines are very long (2) or the tag is in an output (3)', async () => {
    const hostile = `<tool_output_masked>${'x'.repeat(200_000)}`;
    for (const [tool, text] of [['run_shell_command', 'x'.repeat(400_000)] as const, ['web_fetch', hostile] as const]) {
      const [first = { parts: [] }, ...others] = conversationOf([[[[tool, 1]]], [[['read_file', 250_000]]]]);
      const contents = [first, ...others].map((content) =>
        content.parts?.[0]?.functionResponse?.name === tool
          ? { ...content, parts: [output(tool, 'call-0', text)] }
          : content,
      );
      const request = requestsOf(contents).at(-1) ?? [];
      assert.deepEqual(await new Theirs(folder.path).masked(request), []);
      assert.equal(masking().masks(request).size, 1);
    }
  });
});

/** Its own copy of @google/genai has types of another version. */
type TheirPart = Parameters<typeof estimateTokenCountSync>[0][number];
type TheirContents = Parameters<ToolOutputMaskingService['mask']>[0];

const tokensOf = (part: Part): number => estimateTokenCountSync([part as TheirPart]);

function masking(): OutputMasking {
  return new OutputMasking({ tokensOf, mask: (part) => maskOutput(part, '/session/outputs').part });
}

/** Keeps the history as Gemini CLI does: what was masked stays so. */
class Theirs {
  private history: Content[] = [];
  private readonly service = new ToolOutputMaskingService();

  constructor(private readonly folder: string) {}

  async masked(request: readonly Content[]): Promise<string[]> {
    const history = [...this.history, ...request.slice(this.history.length)];
    const { newHistory } = await this.service.mask(
      history as TheirContents,
      {
        getToolOutputMaskingConfig: async () => ({
          protectionThresholdTokens: 50_000,
          minPrunableThresholdTokens: 30_000,
          protectLatestTurn: true,
        }),
        getSessionId: () => 'session',
        getUsageStatisticsEnabled: () => false,
        storage: { getProjectTempDir: () => this.folder },
      } as unknown as Config,
    );
    this.history = [...newHistory] as Content[];
    return request.flatMap(({ parts = [] }, at) =>
      parts.flatMap((part, index) => (this.history[at]?.parts?.[index] === part ? [] : [`${at}.${index}`])),
    );
  }
}

function placesOf(request: readonly Content[], masks: ReadonlyMap<Part, Part>): string[] {
  return request.flatMap(({ parts = [] }, at) =>
    parts.flatMap((part, index) => (masks.has(part) ? [`${at}.${index}`] : [])),
  );
}

/** How often the beginning of a request is not that of the request before. */
async function changesOf(requests: readonly Content[][], folder: string): Promise<number> {
  const theirs = new Theirs(folder);
  let [changes, last] = [0, ''];
  for (const request of requests) {
    const now = (await theirs.masked(request)).join();
    if (now !== last) changes++;
    last = now;
  }
  return changes;
}

function oursChangesOf(requests: readonly Content[][]): number {
  const ours = masking();
  const seen = requests.map((request) => placesOf(request, ours.masks(request)).join());
  return seen.filter((places, index) => places !== (seen[index - 1] ?? '')).length;
}
