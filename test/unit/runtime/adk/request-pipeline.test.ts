import assert from 'node:assert/strict';
import { LlmAgent } from '@google/adk';
import { describe, it } from 'mocha';
import {
  arrangeRequestPipeline,
  type OwnProcessors,
  SteeringProcessor,
} from '../../../../extension/runtime/adk/request-pipeline.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { CompactionProcessor } from '../../../../extension/runtime/compaction/session-compaction.ts';
import { HistoryProcessor } from '../../../../extension/runtime/request/history-contents.ts';
import { ToolOutputMaskingProcessor } from '../../../../extension/runtime/request/masking-processor.ts';
import { SavedOutputs } from '../../../../extension/runtime/request/saved-outputs.ts';
import { all, message, outline, testTool } from '../../../support/conversation.ts';
import { deepFreeze } from '../../../support/deep-freeze.ts';
import { call } from '../../../support/gemini/script.ts';
import { startGeminiEndpoint } from '../../../support/gemini/server.ts';
import { testHost } from '../../../support/test-host.ts';

describe('The request pipeline', () => {
  it('has the history in the place of ADK’s, and nothing that searches all of it', () => {
    const agent = agentAlone();
    arrangeRequestPipeline(agent, own());
    assert.deepEqual(
      agent.requestProcessors.map((processor) => processor.constructor.name),
      [
        'BasicLlmRequestProcessor',
        'AuthPreprocessor',
        'IdentityLlmRequestProcessor',
        'InstructionsLlmRequestProcessor',
        'SteeringProcessor',
        'HistoryProcessor',
        'CompactionProcessor',
        'ToolOutputMaskingProcessor',
        'InteractionsRequestProcessor',
        'CodeExecutionRequestProcessor',
        'ToolFilterRequestProcessor',
      ],
    );
  });

  it('refuses an agent whose processors are not those it knows', () => {
    const agent = agentAlone();
    agent.requestProcessors.reverse();
    assert.throws(() => arrangeRequestPipeline(agent, own()), /ADK's request processors are not those/);
  });

  it('leaves the stored history as it is', async () => {
    const endpoint = await startGeminiEndpoint();
    try {
      const host = testHost({ environment: { GOOGLE_GEMINI_BASE_URL: endpoint.url } });
      const picture = { inlineData: { data: 'AA==', mimeType: 'image/png' } };
      const look = testTool('look', 'read', async () => ({ content: [picture] }));
      const service = new AgentService(host, () => [look]);
      const session = await service.createSession();
      for (const turn of ['one', 'two', 'three']) {
        endpoint.reply(call('look', {}), call('look', {}));
        endpoint.reply(`answer ${turn}`);
        const seen = await all(session, message(turn));
        assert.equal(outline(seen).at(-1), 'agent_end completed');
        for (const { journal } of service['live'].values()) {
          for (const { content } of journal.history.events) deepFreeze(content);
        }
      }
      const [early, late] = [endpoint.requests[1]?.contents ?? [], endpoint.requests[5]?.contents ?? []];
      assert.deepEqual(late.slice(0, early.length), early);
      assert.deepEqual(host.complaints, []);
    } finally {
      await endpoint.dispose();
    }
  });
});

function own(): OwnProcessors {
  const { log } = testHost();
  const history = new HistoryProcessor();
  return {
    steering: new SteeringProcessor(() => []),
    history,
    compaction: new CompactionProcessor(
      { shorten: async () => false, outgoing: (contents) => [...contents] },
      async () => [],
      history,
    ),
    masking: new ToolOutputMaskingProcessor(new SavedOutputs(undefined, log), log, () => undefined),
  };
}

function agentAlone(): LlmAgent {
  return new LlmAgent({ name: 'gantry', disallowTransferToParent: true, disallowTransferToPeers: true });
}
