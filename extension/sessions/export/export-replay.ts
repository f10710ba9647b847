import * as l10n from '@vscode/l10n';
import type { AgentEvent } from '../../protocol/agent/agent-event.ts';
import { protectedText } from '../../protocol/transcript/protected-entry.ts';
import type { Replay } from '../../protocol/transcript/replay.ts';
import { Transcript } from '../../protocol/transcript/transcript.ts';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';
import { redactSecrets } from '../../safety/redact-secrets.ts';

/** The finished conversation as the panel shows it, without secrets. */
export function exportReplay(events: readonly AgentEvent[], madeAt: number, known: readonly string[] = []): Replay {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  const entries = transcript.entries.flatMap((entry) => asLeft(entry) ?? []);
  return redacted({ title: transcript.title, madeAt, entries }, known);
}

/** The final form of an entry, without running work or buttons; undefined for entries that only ask or wait. */
function asLeft(entry: Entry): Entry | undefined {
  switch (entry.kind) {
    case 'user':
      return { ...entry, pending: undefined };
    case 'answer':
      return entry.state === 'streaming' ? { ...entry, state: 'interrupted' } : entry;
    case 'thinking':
      return { ...entry, running: false };
    case 'tool':
      return leftTool(entry);
    case 'problem':
      return { ...entry, problem: { ...entry.problem, actions: [] } };
    case 'note':
      return { ...entry, canContinue: undefined };
    case 'protected':
      return { kind: 'note', id: entry.id, icon: 'limit', text: protectedText(entry) };
    case 'retry':
    case 'choice':
      return undefined;
    default:
      return entry;
  }
}

function leftTool(entry: Extract<Entry, { kind: 'tool' }>): Entry {
  const { approval, command, status } = entry;
  const left = { ...entry, approval: undefined, ...(command && { command: { ...command, state: 'ended' as const } }) };
  if (status !== 'running') return left;
  return { ...left, status: 'cancelled', summary: approval ? l10n.t('waited for an answer') : l10n.t('not finished') };
}

/** Fields that Gantry sets itself. Redacting them would break references. */
const OURS: ReadonlySet<string> = new Set(['id', 'messageId', 'requestId', 'threadId', 'kind', 'status', 'state']);

/** Redacts every text. Only texts can contain secrets: the structure is Gantry's. */
function redacted<Value>(value: Value, known: readonly string[]): Value {
  const walk = (inner: unknown, key = ''): unknown => {
    if (typeof inner === 'string') return OURS.has(key) ? inner : redactSecrets(inner, known);
    if (Array.isArray(inner)) return inner.map((item) => walk(item, key));
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, part]) => [name, walk(part, name)]));
  };
  return walk(value) as Value;
}
