import { lineReporter, runMocha } from '../support/reporter.ts';
import { encodeCounts, encodeLine } from '../support/vscode/host-protocol.ts';

/** Every suite that runs inside the extension host; loaded after mocha has put `describe` in place. */
const suites: readonly (() => Promise<unknown>)[] = [
  () => import('./actions.test.ts'),
  () => import('./api.test.ts'),
  () => import('./applied-changes.test.ts'),
  () => import('./applied-comments.test.ts'),
  () => import('./approvals.test.ts'),
  () => import('./attachments.test.ts'),
  () => import('./authoring.test.ts'),
  () => import('./chat-view.test.ts'),
  () => import('./command-on-path.test.ts'),
  () => import('./commit-message.test.ts'),
  () => import('./custom-commands.test.ts'),
  () => import('./editor-port.test.ts'),
  () => import('./editor-tools.test.ts'),
  () => import('./example-extension.test.ts'),
  () => import('./extensions.test.ts'),
  () => import('./hook-review.test.ts'),
  () => import('./input.test.ts'),
  () => import('./knowledge.test.ts'),
  () => import('./language-server.test.ts'),
  () => import('./mcp-servers.test.ts'),
  () => import('./message-context.test.ts'),
  () => import('./open-documents.test.ts'),
  () => import('./other-sessions.test.ts'),
  () => import('./panel-sessions.test.ts'),
  () => import('./plan-documents.test.ts'),
  () => import('./policy-files.test.ts'),
  () => import('./problem-report.test.ts'),
  () => import('./project-with-everything.test.ts'),
  () => import('./prompt-links.test.ts'),
  () => import('./run-notice.test.ts'),
  () => import('./review-mishaps.test.ts'),
  () => import('./review-several-files.test.ts'),
  () => import('./review.test.ts'),
  () => import('./serving.test.ts'),
  () => import('./settings.test.ts'),
  () => import('./show-log.test.ts'),
  () => import('./shown-request.test.ts'),
  () => import('./sign-in.test.ts'),
  () => import('./smoke.test.ts'),
  () => import('./subagents.test.ts'),
  () => import('./terminals.test.ts'),
  () => import('./vscode-chat.test.ts'),
  () => import('./waiting-commands.test.ts'),
  // Last: these close a window, and VS Code then closes its log for all of them.
  () => import('./features.test.ts'),
  () => import('./leaks.test.ts'),
];

/** Entry for VS Code's test runner, desktop and web alike. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const grep = process.env['GANTRY_TEST_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 20_000,
    reporter: lineReporter((line) => write(encodeLine(line))),
    forbidOnly: true,
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const load of suites) {
    await load();
  }
  const counts = await runMocha(mocha);
  write(encodeCounts(counts));
  if (counts.failed > 0) {
    throw new Error(`${counts.failed} tests failed.`);
  }
}

function write(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the console is the only way out of the extension host
  console.log(text);
}
