import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** Entries of a conversation, with defaults for everything that a test does not care about. */
export function said(text: string, more: Partial<Of<'user'>> = {}): Of<'user'> {
  const id = more.id ?? `user-${text}`;
  return { kind: 'user', id, messageId: id, text, ...more };
}

export function answered(text: string, more: Partial<Of<'answer'>> = {}): Of<'answer'> {
  return { kind: 'answer', id: `answer-${text}`, text, state: 'done', ...more };
}

export function thought(text: string, more: Partial<Of<'thinking'>> = {}): Of<'thinking'> {
  return { kind: 'thinking', id: `thinking-${text}`, text, running: false, seconds: 4, ...more };
}

export function tool(name: string, more: Partial<Of<'tool'>> = {}): Of<'tool'> {
  const { subject = '' } = more;
  return {
    kind: 'tool',
    id: `tool-${name}-${subject}`,
    name,
    subject,
    summary: '',
    status: 'success',
    detail: '',
    ...more,
  };
}

export function noted(text: string, more: Partial<Of<'note'>> = {}): Of<'note'> {
  return { kind: 'note', id: `note-${text}`, icon: 'info', text, ...more };
}

/** A tool that requires approval. */
export function asking(name: string, subject: string, more: Partial<Of<'tool'>> = {}): Of<'tool'> {
  const id = more.id ?? `tool-${name}-${subject}`;
  const approval = {
    requestId: `ask-${id}`,
    title: 'Run a command?',
    message: subject,
    decisions: ['once', 'session', 'always'],
  };
  return tool(name, { id, subject, status: 'running', approval, ...more });
}

/** A running subagent. */
export function investigating(more: Partial<Of<'tool'>['agent']> = {}): Of<'tool'> {
  return tool('invoke_agent', {
    subject: 'Find who still reads Part.buffer',
    status: 'running',
    at: Date.now() - 108_000,
    agent: {
      threadId: 't1',
      name: 'codebase_investigator',
      turns: 5,
      maxTurns: 50,
      tokens: 38_000,
      model: 'gemini-2.5-flash',
      earlier: 9,
      steps: [
        { id: '1', name: 'find_references', subject: 'Part.buffer', summary: '7', status: 'success' },
        { id: '2', name: 'read_file', subject: 'src/net/checksum.ts', summary: '', status: 'success' },
      ],
      words: 'Checksum and encryption both need the whole part in memory.',
      thoughts: '**Checking the encryption path**\n\nIt',
      waits: false,
      ...more,
    },
  });
}
