import * as l10n from '@vscode/l10n';
import type { AgentProblem } from '../agents/agent-definition.ts';
import type { ExtensionProblem } from '../gemini-extensions/gemini-extension.ts';
import type { HookFileProblem } from '../hooks/read-hooks.ts';
import type { McpProblem } from '../mcp/server-definition.ts';
import type { Problem, ProblemAction } from '../protocol/problem.ts';
import type { SkillProblem } from '../skills/skill.ts';

/** About a file of the user's, a project's or an extension's. */
interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Nothing is wrong: it waits for a yes. */
  readonly waits?: boolean;
}

interface Words {
  waiting(count: number): string;
  wrong(count: number): string;
  readonly review: ProblemAction;
}

export function hookProblems(problems: readonly HookFileProblem[]): Problem[] {
  return toldApart(problems, {
    waiting: (count) =>
      count === 1 ? l10n.t('A hook waits for your yes') : l10n.t('{0} hooks wait for your yes', count),
    wrong: (count) => (count === 1 ? l10n.t('A hook is not in force') : l10n.t('{0} hooks are not in force', count)),
    review: 'review-hooks',
  });
}

export function agentProblems(problems: readonly AgentProblem[]): Problem[] {
  const ofSettings = problems.filter((problem) => problem.ofSettings);
  const ofFiles = problems.filter((problem) => !problem.ofSettings);
  const told = toldApart(ofFiles, {
    waiting: (count) =>
      count === 1 ? l10n.t('An agent waits for your yes') : l10n.t('{0} agents wait for your yes', count),
    wrong: (count) => (count === 1 ? l10n.t('An agent is not used') : l10n.t('{0} agents are not used', count)),
    review: 'review-agents',
  });
  return ofSettings.length === 0 ? told : [...told, wrong(l10n.t('Some settings of agents are not used'), ofSettings)];
}

export function serverProblems(problems: readonly McpProblem[]): Problem[] {
  return toldApart(problems, {
    waiting: (count) =>
      count === 1 ? l10n.t('An MCP server waits for your yes') : l10n.t('{0} MCP servers wait for your yes', count),
    wrong: (count) =>
      count === 1 ? l10n.t('An MCP server is not in use') : l10n.t('{0} MCP servers are not in use', count),
    review: 'review-mcp-servers',
  });
}

/** Told while the conversation goes on without what the server offers. */
export function serverTrouble(name: string, detail: string, isStarting: boolean): Problem {
  const title = isStarting
    ? l10n.t('The MCP server "{0}" has not started yet', name)
    : l10n.t('The MCP server "{0}" cannot be used now', name);
  return { kind: 'bad-configuration', title, detail, actions: [] };
}

export function skillProblem(problems: readonly SkillProblem[]): Problem {
  const { length } = problems;
  return wrong(
    length === 1 ? l10n.t('A skill is not as it was meant') : l10n.t('{0} skills are not as they were meant', length),
    problems,
  );
}

export function extensionProblem(problems: readonly ExtensionProblem[]): Problem {
  const { length } = problems;
  return wrong(
    length === 1
      ? l10n.t('An extension is not as it was meant')
      : l10n.t('{0} things about extensions are not as they were meant', length),
    problems,
  );
}

/** Something about the rules that the user should know; what they say otherwise stays in force. */
export function policyProblem(detail: string): Problem {
  return { kind: 'bad-configuration', title: l10n.t('A rule is not as it was meant'), detail, actions: [] };
}

export function rulesWait(detail: string): Problem {
  return { kind: 'waits', title: l10n.t('Rules wait for your yes'), detail, actions: ['open-policies'] };
}

function toldApart(problems: readonly FileProblem[], words: Words): Problem[] {
  const waiting = problems.filter(({ waits }) => waits);
  const others = problems.filter(({ waits }) => !waits);
  return [
    ...(waiting.length === 0
      ? []
      : [
          {
            kind: 'waits' as const,
            title: words.waiting(waiting.length),
            detail: linesOf(waiting),
            actions: [words.review],
          },
        ]),
    ...(others.length === 0 ? [] : [wrong(words.wrong(others.length), others)]),
  ];
}

function wrong(title: string, problems: readonly FileProblem[]): Problem {
  return { kind: 'bad-configuration', title, detail: linesOf(problems), actions: ['show-log'] };
}

function linesOf(problems: readonly FileProblem[]): string {
  return problems.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n');
}
