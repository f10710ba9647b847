import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ContentPart, textPart } from '../../protocol/agent/content-part.ts';
import { problemText } from '../../protocol/agent/problem.ts';
import { attachmentPart } from '../../protocol/agent/reference-parts.ts';
import type { LineRange } from '../../protocol/words/labels.ts';
import { lineRangeOf, type Place, placeOf } from '../editor/place.ts';
import { ChatParticipants, Commands } from '../names.ts';
import { endWords, type RunSink, runInChat } from './chat-run.ts';
import { type ChatSessions, sessionIdOf } from './chat-sessions.ts';

/** The metadata key under which a thread of VS Code's chat stores the id of its session. */
const SESSION = 'gantrySession';

/** Answers as `@gantry` in VS Code's own chat: the panel's agent, with the same tools, rules and approvals. */
export function participantHandler(sessions: ChatSessions): vscode.ChatRequestHandler {
  return (request, context, stream, token) =>
    sessions.within(sessionOf(context.history), {}, async (session) => {
      const sink = sinkOf(stream, () => sessionIdOf(session));
      const end = await runInChat(session, chatContent(request), sink, token);
      const id = sessionIdOf(session);
      const metadata = id === undefined ? {} : { metadata: { [SESSION]: id } };
      if (end.problem) return { ...metadata, errorDetails: { message: problemText(end.problem) } };
      const words = endWords(end);
      if (words !== '') stream.markdown(`\n\n_${escaped(words)}_`);
      return metadata;
    });
}

function sinkOf(stream: vscode.ChatResponseStream, sessionId: () => string | undefined): RunSink {
  return {
    text: (words) => stream.markdown(words),
    progress: (line) => stream.progress(line),
    file: (uri) => stream.reference(uri),
    waiting: (question) => {
      stream.progress(l10n.t('Waiting for your answer in Gantry: {0}', question));
      stream.button({ command: Commands.showSession, title: l10n.t('Answer in Gantry'), arguments: [sessionId()] });
    },
  };
}

/** Returns the session that this thread used last. The id is validated, because threads can come from a file. */
export function sessionOf(history: vscode.ChatContext['history']): string | undefined {
  const turns = history.filter((turn): turn is vscode.ChatResponseTurn => 'result' in turn);
  const ours = turns.filter(({ participant }) => participant === ChatParticipants.gantry);
  const id: unknown = ours.at(-1)?.result.metadata?.[SESSION];
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
}

/** The user's prompt, followed by its references. Files are only named: Gantry reads them under its own rules. */
export function chatContent({ prompt, references }: Pick<vscode.ChatRequest, 'prompt' | 'references'>): ContentPart[] {
  return [textPart(prompt), ...references.flatMap(({ value }, index) => referenceOf(value, `chat-${index}`) ?? [])];
}

const MAX_TEXT = 100_000;
const NOT_READ = '(Its text is not attached. Read it as far as you need it.)';

function referenceOf(value: unknown, id: string): ContentPart | undefined {
  if (typeof value === 'string')
    return value === '' ? undefined : { type: 'reference', text: value.slice(0, MAX_TEXT) };
  if (value instanceof vscode.Uri) return attachmentPart({ id, kind: 'file', ...namedPlaceOf(value) }, NOT_READ);
  if (!(value instanceof vscode.Location)) return undefined;
  const lines = lineRangeOf(value.range);
  return attachmentPart({ id, kind: 'selection', ...namedPlaceOf(value.uri, lines), ...lines }, NOT_READ);
}

/** Uses the full path for a file outside the workspace folders. */
function namedPlaceOf(uri: vscode.Uri, lines?: LineRange): Place {
  return { path: vscode.workspace.asRelativePath(uri), ...placeOf(uri, lines) };
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&');
}
