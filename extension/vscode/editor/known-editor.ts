import type { AgentEvent } from '../../protocol/agent/agent-event.ts';
import { editorOf, type SentEditor } from '../../protocol/agent/reference.ts';

type Sections = SentEditor['sections'];

interface Message {
  readonly messageId: string;
  readonly sections: Sections | undefined;
}

/**
 * Tracks which parts of the editor context the model knows from the conversation, so that only changes are sent. It
 * derives this from events alone, so it is also correct after a rewind and in a resumed session.
 */
export class KnownEditor {
  private messages: Message[] = [];
  private readonly waiting = new Map<string, Sections | undefined>();
  private cut: { readonly rewindId: string; readonly messages: readonly Message[] } | undefined;

  /** Undefined if everything has to be sent. This includes while a message is pending, as it may be withdrawn. */
  get sections(): Sections | undefined {
    if (this.waiting.size > 0) return undefined;
    return this.messages.findLast(({ sections }) => sections !== undefined)?.sections;
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case 'message':
        if (event.role === 'user') this.takeMessage(event);
        else if (event.role === 'developer' && event._meta?.['kind'] === 'clear') this.messages = [];
        return;
      case 'error':
        if (event._meta?.problem?.kind === 'blocked-by-hook') this.messages.pop();
        return;
      case 'custom':
        this.takeCustom(event);
        return;
      default:
        return;
    }
  }

  private takeMessage(event: Extract<AgentEvent, { type: 'message' }>): void {
    const { messageId = event.id, pending } = event._meta ?? {};
    const sections = event.content.map(editorOf).find((sent) => sent !== undefined)?.sections;
    if (pending) this.waiting.set(messageId, sections);
    else this.messages.push({ messageId, sections });
  }

  private takeCustom(event: Extract<AgentEvent, { type: 'custom' }>): void {
    switch (event.kind) {
      case 'message_delivered': {
        const { messageId } = event.data;
        this.messages.push({ messageId, sections: this.waiting.get(messageId) });
        this.waiting.delete(messageId);
        return;
      }
      case 'message_withdrawn':
        this.waiting.delete(event.data.messageId);
        return;
      case 'rewind': {
        const { rewindId, messageId, what } = event.data;
        const at = this.messages.findIndex((message) => message.messageId === messageId);
        this.cut = { rewindId, messages: what === 'files' || at < 0 ? [] : this.messages.splice(at) };
        return;
      }
      // A summary replaced the messages, so the model needs everything again.
      case 'compacted':
        this.messages = [];
        return;
      case 'rewind_undone':
        if (this.cut?.rewindId === event.data.rewindId) this.messages.push(...this.cut.messages);
        this.cut = undefined;
        return;
    }
  }
}
