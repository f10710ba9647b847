import type { Feature } from '../base/features.ts';
import type { CommitMessages } from '../git/commit-message.ts';
import type { CommandBody } from '../names.ts';
import { Commands } from '../names.ts';
import type { Actions } from './actions.ts';
import type { ChatSessions } from './chat-sessions.ts';
import type { EditorActions } from './editor-actions.ts';

type ActionCommand =
  | typeof Commands.explainSelection
  | typeof Commands.explainFile
  | typeof Commands.fixProblems
  | typeof Commands.generateTests
  | typeof Commands.newSessionFromFile
  | typeof Commands.reviewUncommitted
  | typeof Commands.generateCommitMessage
  | typeof Commands.stopCommitMessage
  | typeof Commands.showSession
  | typeof Commands.fillInput;

/** The entries of the command table for the actions around the editor. */
export function actionCommands(
  actions: Feature<Pick<Actions, 'requested'>>,
  sessions: Pick<ChatSessions, 'show'>,
  chat: Feature<{ focus(): Promise<void> }>,
): Readonly<Record<ActionCommand, CommandBody>> {
  const editor = async (): Promise<EditorActions> => (await actions().requested.load()).editor;
  const commits = async (): Promise<CommitMessages> => (await actions().requested.load()).commits;
  return {
    [Commands.explainSelection]: async (...from) => (await editor()).explain(...from),
    [Commands.explainFile]: async (...from) => (await editor()).explainFile(...from),
    [Commands.fixProblems]: async (...from) => (await editor()).fix(...from),
    [Commands.generateTests]: async (...from) => (await editor()).generateTests(...from),
    [Commands.newSessionFromFile]: async (...from) => (await editor()).newSessionFrom(...from),
    [Commands.reviewUncommitted]: async (from) => (await editor()).reviewUncommitted(from),
    [Commands.generateCommitMessage]: async (from) => (await commits()).generate(from),
    [Commands.stopCommitMessage]: async () => (await commits()).stop(),
    [Commands.showSession]: async (id) => {
      if (typeof id === 'string') await sessions.show(id);
      await chat().focus();
    },
    [Commands.fillInput]: async (text) => {
      if (typeof text === 'string') (await editor()).fillInput(text);
      await chat().focus();
    },
  };
}
