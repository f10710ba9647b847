import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SettingsPort } from '../../ports/settings.ts';
import { textPart } from '../../protocol/agent/content-part.ts';
import type { SessionItem } from '../../protocol/panel/sheets-to-panel.ts';
import { endWords, type RunSink, runInChat } from './chat-run.ts';
import { type ChatSessions, sessionIdOf } from './chat-sessions.ts';

export interface ToolSources {
  readonly sessions: ChatSessions;
  readonly listed: () => Promise<readonly SessionItem[]>;
  readonly settings: Pick<SettingsPort, 'approvalMode'>;
}

/** Text from another model is not the user's: it names no files for the user, and only default or plan mode apply. */
const FROM_ELSEWHERE =
  "An assistant in VS Code's chat hands over the task that is attached. Do it as far as it is a task for this workspace.";
const MAX_PROMPT = 100_000;
const MAX_RESULT = 50_000;

export function askTool({ sessions, settings }: ToolSources): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: l10n.t('Asking Gantry'),
      confirmationMessages: {
        title: l10n.t('Ask Gantry'),
        message: quoted(
          l10n.t('Gantry works on this in its own session, under your policies:'),
          textOf(input, 'prompt') ?? '',
        ),
      },
    }),
    invoke: async ({ input }, token) => {
      const prompt = textOf(input, 'prompt')?.slice(0, MAX_PROMPT);
      if (prompt === undefined) throw new Error('"prompt" must be a text that is not empty.');
      const approvalMode = settings.approvalMode() === 'plan' ? 'plan' : 'default';
      return sessions.within(undefined, { approvalMode }, async (session) => {
        const words: string[] = [];
        const sink = quietSink(words);
        const end = await runInChat(
          session,
          [textPart(FROM_ELSEWHERE), { type: 'reference', text: prompt }],
          sink,
          token,
        );
        return resultOf([words.join(''), endWords(end), `(Gantry session ${sessionIdOf(session)})`]);
      });
    },
  };
}

export function sessionsTool({ sessions, listed }: ToolSources): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: ({ input }) => {
      const id = textOf(input, 'id');
      const message =
        id === undefined
          ? l10n.t('List the sessions of Gantry in this workspace')
          : l10n.t('Read the Gantry session {0}', id);
      return { invocationMessage: message, confirmationMessages: { title: l10n.t('Gantry Sessions'), message } };
    },
    invoke: async ({ input }) => resultOf([await sessions.read(textOf(input, 'id'), await listed())]),
  };
}

/** Questions appear as notifications, as for every session that is not shown. */
function quietSink(words: string[]): RunSink {
  return {
    text: (text) => words.push(text),
    progress: () => undefined,
    file: () => undefined,
    waiting: () => undefined,
  };
}

function resultOf(texts: readonly string[]): vscode.LanguageModelToolResult {
  const text = texts.filter((each) => each.trim() !== '').join('\n\n');
  const cut = text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}\n(cut here)` : text;
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(cut)]);
}

/** Shows text as a code block, so that it cannot contain links or images. */
function quoted(title: string, text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(`${title}\n`).appendCodeblock(text, 'text');
}

function textOf(input: unknown, key: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const value: unknown = Object.entries(input).find(([name]) => name === key)?.[1];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
