import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionKnowledge } from '../../../runtime/knowledge/session-knowledge.ts';
import type { RuntimeLoader } from '../../runtime-loader.ts';
import type { PanelSession } from '../../session/panel-session.ts';
import { refusal, type SlashCommand, type SlashOutcome } from '../../suggestions/slash-command.ts';
import { agentsNotice, memoryNotice, skillsNotice } from './knowledge-notices.ts';
import { hooksNotice, policiesNotice } from './rule-notices.ts';

interface KnowledgeParts {
  readonly session: PanelSession;
  readonly runtime: RuntimeLoader;
  readonly signInToAgent: (name: string) => Promise<boolean>;
}

/** Commands about instructions and skills, agents, and the rules that restrict the agent. */
export function knowledgeCommands(parts: KnowledgeParts): readonly SlashCommand[] {
  const { runtime } = parts;
  return [
    {
      name: 'init',
      description: l10n.t('Create an instruction file for this project'),
      needsTrust: true,
      run: async () => ({ say: await (await runtime.load()).customCommands.initPrompt() }),
    },
    {
      name: 'memory',
      hint: '[show | refresh | add text]',
      description: l10n.t('List the instruction files and their size in tokens'),
      whileRunning: true,
      values: () => [
        { value: 'show', detail: l10n.t('List each file and its size in tokens') },
        { value: 'refresh', detail: l10n.t('Reload the files') },
        { value: 'add', detail: l10n.t("Add a fact to this project's file") },
      ],
      run: (argument) => memory(argument, parts),
    },
    {
      name: 'skills',
      description: l10n.t('List the skills, and which of them require approval'),
      whileRunning: true,
      run: () => withKnowledge(parts, skills),
    },
    {
      name: 'agents',
      description: l10n.t('List the agents, and which of them require approval'),
      hint: '[list | signin | signout <name>]',
      whileRunning: true,
      values: () => [
        { value: 'list', detail: l10n.t('Show all agents') },
        { value: 'signin', detail: l10n.t('Sign in to a remote agent') },
        { value: 'signout', detail: l10n.t('Delete the login of a remote agent') },
      ],
      run: (argument) => agentsAct(argument, parts),
    },
    {
      name: 'policies',
      description: l10n.t('List the rules for what may run'),
      whileRunning: true,
      run: async () => {
        const { policies } = await runtime.load();
        return { notice: policiesNotice(await policies.files(), policies.problems) };
      },
    },
    {
      name: 'hooks',
      description: l10n.t('List the hooks, and which of them require approval'),
      whileRunning: true,
      run: async () => {
        const { hooks } = await runtime.load();
        await hooks.look();
        return { notice: hooksNotice(hooks) };
      },
    },
  ];
}

async function memory(argument: string, parts: KnowledgeParts): Promise<SlashOutcome> {
  const [, act = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
  switch (act.toLowerCase()) {
    case '':
    case 'show':
    case 'list':
    case 'refresh':
    case 'reload':
      return withKnowledge(parts, async ({ memory: files, instruction }) => {
        await instruction.next();
        return { notice: memoryNotice(files.loaded(), placeOf, instruction.inPlace) };
      });
    case 'add':
      if (text === '')
        return refusal(l10n.t('There is nothing to remember'), l10n.t('Write what to remember after /memory add.'));
      return { say: `Save this with save_memory, as I wrote it: ${text}` };
    default:
      return refusal(l10n.t('/memory has no subcommand "{0}"', act), l10n.t('Use show, refresh or add.'));
  }
}

async function agentsAct(argument: string, { runtime, signInToAgent }: KnowledgeParts): Promise<SlashOutcome> {
  const [, act = '', name = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
  const { agents, remoteAgents } = await runtime.load();
  await agents.refresh();
  if (act === '' || act === 'list') {
    const { problems, waiting } = agents;
    return { notice: agentsNotice({ listed: agents.listed(), problems, waiting: waiting.length }, placeOf) };
  }
  if (act !== 'signin' && act !== 'signout')
    return refusal(l10n.t('/agents has no subcommand "{0}"', act), l10n.t('Use list, signin or signout.'));
  const { withSignIn } = remoteAgents;
  const agent = withSignIn.find((each) => each === name || (name === '' && withSignIn.length === 1));
  if (agent === undefined) {
    const known = withSignIn.length === 0 ? l10n.t('There are none.') : l10n.t('Use {0}.', withSignIn.join(', '));
    return refusal(l10n.t('There is no remote agent "{0}" that you can sign in to', name), known);
  }
  if (act === 'signin') return (await signInToAgent(agent)) ? agentNotice(agent, l10n.t('Signed in')) : undefined;
  await remoteAgents.signOut(agent);
  return agentNotice(agent, l10n.t('Signed out. The tokens are deleted.'));
}

function agentNotice(name: string, value: string): SlashOutcome {
  return { notice: { title: l10n.t('Remote agent'), rows: [{ name, value }] } };
}

async function skills({ skills: { library } }: SessionKnowledge): Promise<SlashOutcome> {
  const found = await library.refresh();
  const { problems } = library;
  const now = { skills: found, problems, isAccepted: (skill: (typeof found)[number]) => library.isAccepted(skill) };
  return { notice: skillsNotice(now, placeOf) };
}

/** Uses the session shown, or the session that the next message goes to. */
async function withKnowledge(
  { session, runtime }: KnowledgeParts,
  show: (knowledge: SessionKnowledge) => Promise<SlashOutcome>,
): Promise<SlashOutcome> {
  const opened = await session.openId();
  return 'refused' in opened ? opened : show((await runtime.load()).session(opened.id).knowledge);
}

function placeOf(path: string): string {
  return vscode.workspace.asRelativePath(path);
}
