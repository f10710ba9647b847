import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandProblem, CustomCommand } from '../../../commands/custom-command.ts';
import type { CompletedCommand, PreparedCommand, WantedCommand } from '../../../commands/prepare-command.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { Problem } from '../../../protocol/agent/problem.ts';
import { visible, withoutLinks } from '../../base/escape-ui-text.ts';
import type { RuntimeLoader } from '../../runtime-loader.ts';
import type { PanelSession } from '../../session/panel-session.ts';
import { openPlace } from '../../suggestions/notice-links.ts';
import { refusal, type SlashCommand, type SlashOutcome, type SlashSource } from '../../suggestions/slash-command.ts';

interface CustomParts {
  readonly session: PanelSession;
  readonly runtime: RuntimeLoader;
  readonly log: Logger;
}

/** Custom commands defined in files. On a name conflict, the project wins over the user, the user over extensions. */
export class CustomCommandFiles {
  /** In order of precedence for names. */
  readonly sources: readonly SlashSource[];
  private found: readonly CustomCommand[] = [];
  private readonly reported = new Set<string>();

  constructor(private readonly parts: CustomParts) {
    this.sources = [
      { prefix: 'workspace', commands: () => this.of('project'), refresh: () => this.refresh() },
      { prefix: 'user', commands: () => this.of('user') },
      { prefix: 'extension', commands: () => this.of('extension') },
    ];
  }

  private of(source: CustomCommand['source']): readonly SlashCommand[] {
    return this.found.filter((command) => command.source === source).map((command) => this.slashCommand(command));
  }

  private slashCommand(command: CustomCommand): SlashCommand {
    const { name, description } = command;
    return { name, description, hint: '[arguments]', needsTrust: true, run: (args) => this.run(command, args) };
  }

  private async refresh(): Promise<void> {
    const { runtime, log } = this.parts;
    try {
      const { library } = (await runtime.load()).customCommands;
      this.found = await library.refresh();
      this.report(library.problems);
    } catch (error) {
      log.error('Custom commands could not be looked for', error);
    }
  }

  /** Reports each problem once, and all new problems of a refresh together. */
  private report(problems: readonly CommandProblem[]): void {
    const fresh = problems.filter((problem) => !this.reported.has(JSON.stringify(problem)));
    for (const problem of fresh) this.reported.add(JSON.stringify(problem));
    const [first] = fresh;
    if (first) void warnOf(first, fresh.length - 1);
  }

  private async run(command: CustomCommand, args: string): Promise<SlashOutcome> {
    const { session, runtime } = this.parts;
    const opened = await session.openId();
    if ('refused' in opened) return opened;
    const prepared = await (await runtime.load()).customCommands.prepare(opened.id, command, args);
    const answer = await askToRun(command, prepared.wanted);
    if ('refused' in answer) return answer;
    const completed = await complete(command.name, prepared, answer.agreed);
    if (!completed) return notSent(command.name, l10n.t('You stopped its commands.'));
    // The panel may show another session by now.
    if (await isOther(session, opened.id)) return notSent(command.name, l10n.t('Another session is shown now.'));
    for (const problem of completed.problems) void vscode.window.showWarningMessage(withoutLinks(problem));
    return { say: completed.parts };
  }
}

async function isOther(session: PanelSession, id: string): Promise<boolean> {
  const now = await session.openId();
  return 'refused' in now || now.id !== id;
}

/** Returns undefined if the user stopped it. Commands may take long, so a notification offers to stop them. */
async function complete(
  name: string,
  { wanted, complete: completeWith }: PreparedCommand,
  agreed: readonly string[],
): Promise<CompletedCommand | undefined> {
  const ending = new AbortController();
  if (wanted.length === 0) return completeWith(agreed, ending.signal);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: l10n.t('Gantry: Running the commands of /{0}…', name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const stopping = token.onCancellationRequested(() => ending.abort());
    try {
      return await completeWith(agreed, ending.signal);
    } catch (error) {
      if (ending.signal.aborted) return undefined;
      throw error;
    } finally {
      stopping.dispose();
    }
  });
}

function notSent(name: string, why: string): SlashOutcome {
  return refusal(l10n.t('/{0} was not sent', name), why);
}

async function warnOf({ file, line, text }: CommandProblem, others: number): Promise<void> {
  const what = `${file}:${line}: ${text}`;
  const message = others === 0 ? what : l10n.t('{0} ({1} more commands have errors.)', what, others);
  const open = l10n.t('Open File');
  if ((await vscode.window.showWarningMessage(withoutLinks(message), open)) === open)
    await openPlace({ path: file, line });
}

/** The most text that a dialog shows in full on every system. */
const MOST_SHOWN = 3000;
const MOST_LINES = 30;

type Answer = { readonly agreed: readonly string[] } | { readonly refused: Problem };

/** Asks once whether the shell commands of a custom command may run, and shows each exactly as it would run. */
async function askToRun(
  { name, extension }: Pick<CustomCommand, 'name' | 'extension'>,
  wanted: readonly WantedCommand[],
): Promise<Answer> {
  const denied = wanted.find(({ decision }) => decision === 'deny');
  if (denied) {
    const { command, why } = denied;
    return no(name, l10n.t('It wants to run "{0}", which is not allowed. {1} Nothing was run.', visible(command), why));
  }
  const asked = wanted.flatMap(({ command, decision }) => (decision === 'ask_user' ? [command] : []));
  if (asked.length === 0) return { agreed: [] };
  const detail = asked.map(visible).join('\n\n');
  if (detail.length > MOST_SHOWN || detail.split('\n').length > MOST_LINES)
    return no(name, l10n.t('The command that it wants to run is too long to show for approval. Nothing was run.'));
  const run = asked.length === 1 ? l10n.t('Run Command') : l10n.t('Run Commands');
  const who = extension === undefined ? name : `${name} (${l10n.t('extension {0}', extension)})`;
  const question =
    asked.length === 1
      ? l10n.t('/{0} wants to run this command and send its output. Run it?', who)
      : l10n.t('/{0} wants to run these {1} commands and send their output. Run them?', who, asked.length);
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, run);
  return answer === run ? { agreed: asked } : no(name, l10n.t('You did not approve the command. Nothing was run.'));
}

function no(name: string, detail: string): Answer {
  return { refused: { kind: 'bad-input', title: l10n.t('/{0} was not sent', name), detail, actions: [] } };
}
