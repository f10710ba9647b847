import * as l10n from '@vscode/l10n';
import type { AgentProblem } from '../../agents/agent-definition.ts';
import type { ExtensionProblem } from '../../gemini-extensions/gemini-extension.ts';
import type { HookFileProblem } from '../../hooks/read-hooks.ts';
import type { McpProblem } from '../../mcp/server-definition.ts';
import type { Problem, ProblemAction } from '../../protocol/agent/problem.ts';
import type { SkillProblem } from '../../skills/skill.ts';

/** A problem in a file of the user, a project or an extension. */
interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The definition has no error, but requires approval. */
  readonly waits?: boolean;
  /** The complete file is invalid, whatever it was read for. */
  readonly damaged?: boolean;
}

interface Words {
  waiting(count: number): string;
  /** `count` is the number of files; one file may have many errors. */
  wrong(count: number): string;
  readonly review: ProblemAction;
}

export function hookProblems(problems: readonly HookFileProblem[]): Problem[] {
  return toldApart(problems, {
    waiting: (count) =>
      count === 1 ? l10n.t('A hook requires approval') : l10n.t('{0} hooks require approval', count),
    wrong: (count) =>
      count === 1 ? l10n.t('A file with hooks has errors') : l10n.t('{0} files with hooks have errors', count),
    review: 'review-hooks',
  });
}

export function agentProblems(problems: readonly AgentProblem[]): Problem[] {
  const ofSettings = problems.filter((problem) => problem.ofSettings);
  const ofFiles = problems.filter((problem) => !problem.ofSettings);
  const told = toldApart(ofFiles, {
    waiting: (count) =>
      count === 1 ? l10n.t('An agent requires approval') : l10n.t('{0} agents require approval', count),
    wrong: (count) => (count === 1 ? l10n.t('An agent is ignored') : l10n.t('{0} agents are ignored', count)),
    review: 'review-agents',
  });
  return ofSettings.length === 0 ? told : [...told, wrong(l10n.t('Some settings of agents are not used'), ofSettings)];
}

export function serverProblems(problems: readonly McpProblem[]): Problem[] {
  return toldApart(problems, {
    waiting: (count) =>
      count === 1 ? l10n.t('An MCP server requires approval') : l10n.t('{0} MCP servers require approval', count),
    wrong: (count) =>
      count === 1
        ? l10n.t('A file with MCP servers has errors')
        : l10n.t('{0} files with MCP servers have errors', count),
    review: 'review-mcp-servers',
  });
}

/** Reported while the conversation continues without the server. */
export function serverTrouble(name: string, detail: string, isStarting: boolean): Problem {
  const title = isStarting
    ? l10n.t('The MCP server "{0}" has not started yet', name)
    : l10n.t('The MCP server "{0}" is not available', name);
  return { kind: 'bad-configuration', title, detail, actions: [] };
}

export function skillProblem(problems: readonly SkillProblem[]): Problem {
  const count = filesIn(problems);
  return wrong(count === 1 ? l10n.t('A skill has errors') : l10n.t('{0} skills have errors', count), problems);
}

export function extensionProblem(problems: readonly ExtensionProblem[]): Problem {
  const count = filesIn(problems);
  return wrong(
    count === 1 ? l10n.t('An extension has errors') : l10n.t('{0} files of extensions have errors', count),
    problems,
  );
}

/** A problem with a policy. The other rules stay in force. */
export function policyProblem(detail: string): Problem {
  return { kind: 'bad-configuration', title: l10n.t('A policy has an error'), detail, actions: [] };
}

export function rulesWait(detail: string): Problem {
  return { kind: 'waits', title: l10n.t('A policy requires approval'), detail, actions: ['open-policies'] };
}

function toldApart(problems: readonly FileProblem[], words: Words): Problem[] {
  const waiting = problems.filter(({ waits }) => waits);
  const damaged = problems.filter((problem) => problem.damaged);
  const others = problems.filter((problem) => !problem.waits && !problem.damaged);
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
    ...(damaged.length === 0 ? [] : [wrong(invalidFiles(filesIn(damaged)), damaged)]),
    ...(others.length === 0 ? [] : [wrong(words.wrong(filesIn(others)), others)]),
  ];
}

/** Uses the same text whatever the file was read for, so that it is shown once (`LiveSession.warn`). */
function invalidFiles(count: number): string {
  return count === 1 ? l10n.t('A settings file is invalid') : l10n.t('{0} settings files are invalid', count);
}

function wrong(title: string, problems: readonly FileProblem[]): Problem {
  return { kind: 'bad-configuration', title, detail: linesOf(problems), actions: ['show-log'] };
}

function filesIn(problems: readonly FileProblem[]): number {
  return new Set(problems.map(({ file }) => file)).size;
}

function linesOf(problems: readonly FileProblem[]): string {
  return problems.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n');
}
