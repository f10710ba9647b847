// @ts-check
/** @import { AgentEvent, GantryApi } from './gantry' */
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand('exampleExtension.explainFile', explainFile));
};

/** Asks the agent about the file in the active editor, and opens the answer beside it. */
async function explainFile() {
  const file = vscode.window.activeTextEditor?.document.uri;
  if (!file) return vscode.window.showInformationMessage('Open the file to explain.');
  const location = { location: vscode.ProgressLocation.Notification, cancellable: true, title: 'Explaining the file' };
  const answer = await vscode.window.withProgress(location, (progress, canceled) =>
    ask(`Explain the file ${vscode.workspace.asRelativePath(file)} in a few sentences.`, {
      onCall: (name) => progress.report({ message: name }),
      canceled,
    }),
  );
  if (answer === undefined) return;
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: answer });
  await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
}

/**
 * @param {string} question
 * @param {{ onCall: (name: string) => void, canceled: vscode.CancellationToken }} options
 */
async function ask(question, { onCall, canceled }) {
  /** @type {vscode.Extension<GantryApi> | undefined} */
  const extension = vscode.extensions.getExtension('gantry.gantry');
  if (!extension) throw new Error('Gantry is not installed.');
  const gantry = await extension.activate();
  if (canceled.isCancellationRequested) return undefined;
  // In plan mode, the agent changes nothing. Approvals appear in the panel, and in a notification.
  const session = await gantry.createSession({ approvalMode: 'plan' });
  canceled.onCancellationRequested(() => session.abort());
  let answer = '';
  for await (const event of session.sendStream({ message: { content: [{ type: 'text', text: question }] } })) {
    if (event.type === 'tool_request') onCall(event.display?.name ?? event.name);
    answer = textAfter(answer, event);
  }
  return canceled.isCancellationRequested ? undefined : answer;
}

/**
 * The answer is what the agent says after its last call.
 * @param {string} answer
 * @param {AgentEvent} event
 */
function textAfter(answer, event) {
  // Events with a thread are from subagents.
  if (event.threadId !== undefined) return answer;
  switch (event.type) {
    case 'tool_request':
      return '';
    case 'custom':
      return event.kind === 'answer_retracted' ? '' : answer;
    case 'message':
      return event.role === 'agent' ? answer + event.content.map(textOf).join('') : answer;
    case 'error':
      if (event.fatal) throw new Error(event.message);
      return answer;
    default:
      return answer;
  }
}

/** @param {import('./gantry').ContentPart} part */
const textOf = (part) => (part.type === 'text' ? part.text : '');
