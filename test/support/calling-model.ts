import { BaseLlm, type BaseLlmConnection, type LlmResponse } from '@google/adk';

/** An ADK model that calls one tool and then answers. */
export function callingModel(name: string): BaseLlm {
  return new CallingModel(name);
}

class CallingModel extends BaseLlm {
  private called = false;

  constructor(private readonly tool: string) {
    super({ model: 'calling' });
  }

  override async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    const part = this.called ? { text: 'Done.' } : { functionCall: { id: 'forged', name: this.tool, args: {} } };
    this.called = true;
    yield { content: { role: 'model', parts: [part] }, turnComplete: true };
  }

  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error('Live connections are not used.'));
  }
}
