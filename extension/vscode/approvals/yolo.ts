import * as vscode from 'vscode';

/** Asks whether everything may run without a question. */
export async function confirmYolo(why = ''): Promise<boolean> {
  const yes = 'Run Everything';
  const answer = await vscode.window.showWarningMessage(
    'Run everything without a question in this session?',
    {
      modal: true,
      detail:
        `${why}Commands run and files change as the model wants, and what it reads may steer it. ` +
        'Only protected files, such as editor and Git configuration, and commands that could destroy a disk, your home or the workspace still ask.',
    },
    yes,
  );
  return answer === yes;
}
