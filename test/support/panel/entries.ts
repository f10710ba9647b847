import type { Entry } from '../../../extension/protocol/transcript-entry.ts';

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** Entries of a conversation, with everything given that a test does not care about. */
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

/** A tool that waits for a yes. */
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
