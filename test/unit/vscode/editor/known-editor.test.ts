import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent } from '../../../../extension/protocol/agent/agent-event.ts';
import { textPart } from '../../../../extension/protocol/agent/content-part.ts';
import { editorPart } from '../../../../extension/protocol/agent/reference-parts.ts';
import { KnownEditor } from '../../../../extension/vscode/editor/known-editor.ts';

const STAMP = { id: 'e', streamId: 's', timestamp: '2026-01-01T00:00:00Z' };

/** `file` is what the message said of the editor, if it said anything. */
function said(messageId: string, file?: string, pending?: 'steer' | 'queue'): AgentEvent {
  const content = [
    textPart('Hi'),
    ...(file === undefined ? [] : [editorPart({ label: file, sections: { file } }, file)]),
  ];
  return { ...STAMP, type: 'message', role: 'user', content, _meta: { messageId, ...(pending && { pending }) } };
}

const custom = (kind: string, data: object): AgentEvent => ({ ...STAMP, type: 'custom', kind, data }) as AgentEvent;
const rewound = (messageId: string): AgentEvent => custom('rewind', { rewindId: 'r', messageId, what: 'both' });

function known(...events: readonly AgentEvent[]): string | undefined {
  const editor = new KnownEditor();
  for (const event of events) editor.take(event);
  return editor.sections?.['file'];
}

describe('What the model knows of the editor', () => {
  it('is nothing in a new conversation, and what the last message said of it', () => {
    assert.equal(known(), undefined);
    assert.equal(known(said('1', 'a'), said('2', 'b'), said('3')), 'b');
  });

  it('is what was said before the message that a rewind went back to', () => {
    assert.equal(known(said('1', 'a'), said('2', 'b'), rewound('2')), 'a');
    assert.equal(known(said('1', 'a'), rewound('1')), undefined);
    assert.equal(known(said('1', 'a'), said('2', 'b'), rewound('2'), custom('rewind_undone', { rewindId: 'r' })), 'b');
    assert.equal(known(said('1', 'a'), custom('rewind', { rewindId: 'r', messageId: '1', what: 'files' })), 'a');
  });

  it('is not counted on while a message waits, which may still be taken back', () => {
    const waiting = [said('1', 'a'), said('2', 'b', 'queue')];
    assert.equal(known(...waiting), undefined);
    assert.equal(known(...waiting, custom('message_withdrawn', { messageId: '2', by: 'user' })), 'a');
    assert.equal(known(...waiting, custom('message_delivered', { messageId: '2' })), 'b');
  });

  it('does not include what a hook kept from the model', () => {
    const problem = { kind: 'blocked-by-hook', title: '', detail: '', actions: [] } as const;
    const blocked: AgentEvent = {
      ...STAMP,
      type: 'error',
      status: 'PERMISSION_DENIED',
      message: '',
      fatal: false,
      _meta: { problem },
    };
    const cleared: AgentEvent = {
      ...STAMP,
      type: 'message',
      role: 'developer',
      content: [textPart('')],
      _meta: { kind: 'clear' },
    };
    assert.equal(known(said('1', 'a'), said('2', 'b'), blocked), 'a');
    assert.equal(known(said('1', 'a'), cleared), undefined);
  });
});
