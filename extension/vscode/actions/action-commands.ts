import type { CommandBody } from '../commands.ts';
import { Commands } from '../names.ts';
import type { Actions } from './actions.ts';

type ActionCommand =
  | typeof Commands.explainSelection
  | typeof Commands.fixProblems
  | typeof Commands.generateTests
  | typeof Commands.newSessionFromFile
  | typeof Commands.reviewUncommitted
  | typeof Commands.generateCommitMessage
  | typeof Commands.stopCommitMessage
  | typeof Commands.showSession
  | typeof Commands.fillInput;

/** The part of the table of commands that belongs to the actions around the editor. */
export function actionCommands(
  { editor, commits, chatSessions }: Actions,
  chat: { focus(): Promise<void> },
): Readonly<Record<ActionCommand, CommandBody>> {
  return {
    [Commands.explainSelection]: (...from) => editor.explain(...from),
    [Commands.fixProblems]: (...from) => editor.fix(...from),
    [Commands.generateTests]: (...from) => editor.generateTests(...from),
    [Commands.newSessionFromFile]: (...from) => editor.newSessionFrom(...from),
    [Commands.reviewUncommitted]: (from) => editor.reviewUncommitted(from),
    [Commands.generateCommitMessage]: (from) => commits.generate(from),
    [Commands.stopCommitMessage]: () => commits.stop(),
    [Commands.showSession]: async (id) => {
      if (typeof id === 'string') await chatSessions.show(id);
      await chat.focus();
    },
    [Commands.fillInput]: async (text) => {
      if (typeof text === 'string') editor.fillInput(text);
      await chat.focus();
    },
  };
}
