import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { contains } from '../../files/real-path.ts';
import type { Circumstances, PolicyRule, Verdict } from '../policy-types.ts';
import type { FindNamed, ProtectedPlaces } from '../protected-paths.ts';
import { rulePlace, runsAnew } from '../rules/decision-text.ts';
import { coversExactly } from '../rules/exact-patterns.ts';
import { isAnswer } from '../rules/rule-match.ts';
import {
  isForLackOfAnswer,
  isShipped,
  type MatchedRule,
  type RunFolder,
  type ShellJudge,
} from '../rules/shell-judge.ts';
import { asOneCommand, dangerOf } from './dangerous.ts';
import { destructionOf } from './destructive.ts';
import { strictestOf } from './every-reading.ts';
import { destructionInText, hidesCommands, protectedInText, wordsInText } from './hidden-commands.ts';
import { isKnownSafe } from './known-safe.ts';
import { withKnownVariables } from './known-variables.ts';
import { possibleCommands, unknownProgram } from './possible-commands.ts';
import { protectedWrite, throughLinks } from './protected-writes.ts';
import { type FindShown, followsLinkOut, readsOpenly } from './reads-openly.ts';
import { riskOf } from './risky-options.ts';
import { safePrefix } from './safe-prefixes.ts';
import { programOf, type ReadableShell, type ShellParser, type ShellWord, type SubCommand } from './shell-types.ts';
import { enteredIn, redirectionsOf, targetsIn, unknownPlace, unknownWrites } from './shell-writes.ts';

export interface ShellJudgeOptions {
  readonly home: string;
  /** Whether bash runs the commands. Commands for PowerShell and cmd can't be parsed here. */
  readonly runsBash: boolean;
  /** Finds the places that repositories in the workspace name. Without it, only names protect files. */
  readonly named?: FindNamed;
  /** Without it, a Git command that shows contents asks. */
  readonly shown?: FindShown;
  /** Whether the shell that runs commands accepts the syntax of a rewritten line. */
  readonly acceptsSyntax?: (text: string) => Promise<boolean>;
}

/** A command with the result of the rules for it alone. */
interface Checked {
  readonly command: SubCommand;
  readonly verdict: Verdict;
  readonly isExact: boolean;
  readonly risk: string | undefined;
}

/**
 * Checks the parts of a command line that the rules have matched as text. It only makes the result stricter, except for
 * lines that only read.
 */
export function createShellJudge(parser: ShellParser, options: ShellJudgeOptions): ShellJudge {
  const { runsBash, acceptsSyntax } = options;
  const judge = judgeOf(parser, options);
  return async (command, matched, recheck, circumstances, folder) => {
    const verdict = await judge(command, matched, recheck, circumstances, folder);
    if (!runsBash || verdict.decision === 'allow') return verdict;
    // The sandbox may allow what the rules don't.
    const parsed = parser.parse(command);
    const runs = parsed.parsed ? parsed.written : undefined;
    const isAccepted = runs !== undefined && (!acceptsSyntax || (await acceptsSyntax(runs)));
    return isAccepted ? { ...verdict, runs } : verdict;
  };
}

function judgeOf(parser: ShellParser, options: ShellJudgeOptions): ShellJudge {
  const { home, runsBash, named: findNamed, shown, acceptsSyntax } = options;
  return async (command, matched, recheck, circumstances, folder) => {
    if (matched.decision === 'deny' && !isForLackOfAnswer(matched.rule)) return verdict('deny', matched.why, matched);
    const named = folder && findNamed ? await findNamed(folder.root) : [];
    const places = { home, roots: circumstances.roots, named };
    const parsed = runsBash
      ? parser.parse(command)
      : ({ parsed: false, reason: l10n.t("commands for this shell can't be parsed") } as const);
    const strictest = strictestOf(command, parsed, recheck);
    if (strictest === 'too many') return gate(l10n.t("too many words in a line that can't be parsed"), circumstances);
    if (strictest?.verdict.decision === 'deny') return refusedPart(strictest);
    if (!parsed.parsed) {
      const always = destructionOf(command, undefined, places) ?? dangerInText(command, places);
      // PowerShell is never read, so yolo mode would otherwise ask about every command.
      const mayRun = !runsBash || circumstances.isConfined === true;
      const restricting = runsBash ? matched.restricting : undefined;
      const asking = strictest?.verdict ?? (restricting && mayBeRestricted(command, restricting, circumstances));
      return unread(parsed.reason, always, matched, circumstances, asking, mayRun);
    }
    const checked = check(command, parsed, matched, recheck, circumstances.roots);
    const denied = checked.find(({ verdict: { decision } }) => decision === 'deny');
    if (denied && matched.decision !== 'deny')
      return refusedPart({ text: denied.command.text, verdict: denied.verdict });
    const targets = targetsIn(parsed);
    const resolved = withKnownVariables(parsed);
    const always =
      destructionOf(command, resolved, places) ??
      (await protectedWrite(resolved, possibleCommands(command, parsed), folder, places)) ??
      (hidesCommands(parsed) || checked.some(({ risk }) => risk !== undefined) || unknownWrites(targets).length > 0
        ? (dangerInText(command, places) ??
          (folder && (await throughLinks({ mentioned: wordsInText(command) }, folder, places))))
        : undefined) ??
      untrustedGit(parsed, circumstances);
    if (always !== undefined) return gate(always, circumstances);
    const isRead = matched.rule !== undefined && coversExactly(matched.rule, command);
    const unknown = parsed.written === undefined ? command : unknownProgram(resolved)?.text;
    if (matched.restricting && unknown !== undefined && !isRead)
      return mayBeRestricted(unknown, matched.restricting, circumstances);
    const place =
      circumstances.mode === 'yolo' ? (unknownPlace(resolved) ?? /\bCDPATH=/.exec(command)?.[0]) : undefined;
    if (place !== undefined && !circumstances.isConfined) return gate(atRunTime(place), circumstances);
    if (circumstances.mode !== 'yolo') {
      const doubt =
        doubtAbout(parsed, targets, checked) ??
        doubtAboutLine(parsed, matched) ??
        (folder && (await doubtAboutLinks(parsed, checked, folder, circumstances.roots)));
      if (doubt !== undefined)
        return verdict(asked(circumstances), l10n.t('No rule can cover this, because of {0}.', doubt));
    }
    const staysInside = (): boolean =>
      redirectionsOf(parsed).every((path) => isInWorkspace(path, folder, circumstances.roots));
    const [only] = checked;
    const isAlone = checked.length === 1 && only?.command.text === command.trim();
    if (
      isAlone &&
      strictest === undefined &&
      parsed.isPlain &&
      parsed.written !== undefined &&
      givesWay(matched, circumstances) &&
      isKnownSafe(only.command) &&
      (await readsOpenly(only.command, folder, shown))
    ) {
      const why = l10n.t('`{0}` only reads when used like this.', programOf(only.command) ?? '');
      return checkedByShell(runsAnew(verdict('allow', why), parsed.written, command), circumstances, acceptsSyntax);
    }
    const settled = settle({ ...parsed, staysInside }, checked, matched, circumstances);
    if (settled.decision !== 'allow') return settled;
    if (strictest) return { ...strictest.verdict, why: `\`${strictest.text}\`: ${strictest.verdict.why}` };
    const runs = await checkedByShell(written(settled, parsed, command, circumstances), circumstances, acceptsSyntax);
    return place === undefined ? runs : { ...runs, onlyConfined: true };
  };
}

/**
 * A command that rules allow runs as rewritten from the parsed words. It runs unchanged only if a person read exactly
 * this line, or in the sandbox in yolo mode.
 */
function written(allowed: Verdict, shell: ReadableShell, command: string, circumstances: Circumstances): Verdict {
  const isRead = allowed.rule !== undefined && coversExactly(allowed.rule, command);
  const isCovered = shell.isPlain || (circumstances.mode === 'yolo' && !isRead);
  if (shell.written !== undefined && isCovered) return runsAnew(allowed, shell.written, command);
  if (isRead) return allowed;
  if (circumstances.mode === 'yolo') {
    if (circumstances.isConfined) return { ...allowed, onlyConfined: true };
    const why = l10n.t(
      "Gantry can't write this line again exactly as it was judged, so it requires approval outside the sandbox.",
    );
    return { ...verdict(asked(circumstances), why), isGate: true };
  }
  const why = l10n.t('Only a rule for exactly this line covers it, because shells read its syntax differently.');
  return verdict(asked(circumstances), why);
}

/** A rewritten line that the shell itself can't read wasn't understood, so a person reads the line as it is written. */
async function checkedByShell(
  allowed: Verdict,
  circumstances: Circumstances,
  accepts: ShellJudgeOptions['acceptsSyntax'],
): Promise<Verdict> {
  if (allowed.runs === undefined || !accepts || (await accepts(allowed.runs))) return allowed;
  const why = l10n.t("The shell's own syntax check doesn't accept the line as Gantry would run it.");
  return { ...verdict(asked(circumstances), why), isGate: true };
}

/** The result of the rules for each command. A command that is the whole line has already been checked. */
function check(
  line: string,
  parsed: ReadableShell,
  matched: MatchedRule,
  recheck: (subCommand: string) => Verdict,
  roots: readonly string[],
): readonly Checked[] {
  return parsed.commands.map((command) => {
    const answer =
      command.text === line.trim() ? verdict(matched.decision, matched.why, matched) : recheck(command.text);
    const isExact = answer.rule !== undefined && coversExactly(answer.rule, command.text);
    const risk = riskOf(command) ?? (isExact ? undefined : beyondAnswer(command, answer, roots));
    return { command, verdict: answer, isExact, risk };
  });
}

/** Whether an "always" answer for the beginning of a command allows it. */
function isClicked(decision: Verdict['decision'], rule: Verdict['rule']): boolean {
  return decision === 'allow' && rule?.argsPattern !== undefined && isAnswer(rule);
}

/** An "always" answer doesn't cover files outside the workspace, wherever their links are. */
async function doubtAboutLinks(
  parsed: ReadableShell,
  checked: readonly Checked[],
  folder: RunFolder,
  roots: readonly string[],
): Promise<string | undefined> {
  const folders = [folder.path];
  for (const { value = '' } of enteredIn(parsed)) folders.push(resolve(folders.at(-1) ?? '', value));
  for (const { command, isExact, verdict: answer } of checked) {
    if (isExact || !isClicked(answer.decision, answer.rule)) continue;
    for (const path of folders) {
      if (await followsLinkOut(command, { ...folder, path }, roots))
        return l10n.t('{0} in `{1}`', l10n.t('arguments that no "always allow" covers'), command.text);
    }
  }
  return undefined;
}

/** An "always" answer covers what a program usually does, not everything that its options can make it do. */
function beyondAnswer(command: SubCommand, { decision, rule }: Verdict, roots: readonly string[]): string | undefined {
  return isClicked(decision, rule) && safePrefix(command, roots) === undefined
    ? l10n.t('arguments that no "always allow" covers')
    : undefined;
}

function doubtAbout(
  parsed: ReadableShell,
  targets: readonly ShellWord[],
  checked: readonly Checked[],
): string | undefined {
  const [concern] = parsed.concerns;
  if (concern !== undefined) return concern;
  for (const { command, isExact, risk } of checked) {
    const danger = isExact ? undefined : (dangerOf(command) ?? risk);
    if (danger !== undefined) return l10n.t('{0} in `{1}`', danger, command.text);
  }
  const [target] = unknownWrites(targets);
  return target === undefined ? undefined : atRunTime(target);
}

function atRunTime(target: string): string {
  return l10n.t('a file to be written that is only known at run time, {0}', target);
}

/** Only applies to rules for any command: a rule with a pattern was written for lines like this. */
function doubtAboutLine(parsed: ReadableShell, { rule }: MatchedRule): string | undefined {
  const whole = rule?.argsPattern === undefined ? asOneCommand(parsed) : undefined;
  const danger = whole && (dangerOf(whole) ?? riskOf(whole));
  return danger && l10n.t('{0}, if later words were meant for the first command', danger);
}

/** A line, and whether all of its output certainly stays in the workspace. */
type PlacedShell = ReadableShell & { readonly staysInside: () => boolean };

/** The result of the rules, once nothing in the line makes them unreliable. */
function settle(
  parsed: PlacedShell,
  checked: readonly Checked[],
  matched: MatchedRule,
  circumstances: Circumstances,
): Verdict {
  if (matched.decision !== 'allow') return verdict(matched.decision, matched.why, matched);
  const asking = checked.find(({ verdict: { decision } }) => decision === 'ask_user');
  if (asking) return { ...asking.verdict, why: whyAsked(asking) };
  const redirected = asksForRedirection(parsed, checked, matched, circumstances);
  if (redirected !== undefined) return verdict('ask_user', l10n.t('The output of `{0}` is redirected.', redirected));
  return verdict('allow', matched.why, matched);
}

function refusedPart({ text, verdict }: { readonly text: string; readonly verdict: Verdict }): Verdict {
  const { why, shown = why, ...rest } = verdict;
  return { ...rest, why: `\`${text}\` is refused: ${why}`, shown: l10n.t('`{0}` is refused: {1}', text, shown) };
}

function whyAsked({ command, verdict: { rule, why } }: Checked): string {
  if (!rule) return l10n.t('No rule allows `{0}`.', command.text);
  return isShipped(rule)
    ? `${l10n.t('No rule allows `{0}`.', command.text)} ${rulePlace(rule.source)}.`
    : `\`${command.text}\`: ${why}`;
}

function asksForRedirection(
  { commands, hasRedirection, staysInside }: PlacedShell,
  checked: readonly Checked[],
  matched: MatchedRule,
  { mode }: Circumstances,
): string | undefined {
  // Automatic approval of edits only covers files of the workspace.
  if (!hasRedirection || (mode === 'autoEdit' && staysInside()) || mode === 'yolo') return undefined;
  if (!matched.rule?.allowRedirection) return (commands.find(({ redirects }) => redirects) ?? commands[0])?.text;
  return checked.find(({ command, verdict: { rule } }) => command.redirects && !rule?.allowRedirection)?.command.text;
}

/** Whether a read-only command may run although the shipped rule asks, or refuses because nobody can be asked. */
function givesWay(matched: MatchedRule, { interactive }: Circumstances): boolean {
  if (matched.decision === 'deny') return isForLackOfAnswer(matched.rule);
  return matched.decision === 'ask_user' && interactive && (matched.rule === undefined || isShipped(matched.rule));
}

function dangerInText(command: string, places: ProtectedPlaces): string | undefined {
  return destructionInText(command, places) ?? protectedInText(command, places);
}

/** A rule about certain commands also counts for one that nobody knows before it runs. */
function mayBeRestricted(text: string, rule: PolicyRule, circumstances: Circumstances): Verdict {
  const why = l10n.t('`{0}` may run a command that a rule restricts: which one is only known at run time.', text);
  return verdict(asked(circumstances), why, { rule });
}

function untrustedGit({ commands }: ReadableShell, { trusted }: Circumstances): string | undefined {
  const git = trusted ? undefined : commands.find((command) => programOf(command) === 'git');
  return git && l10n.t('`{0}`: in a folder that is not trusted, git could run programs from its settings', git.text);
}

function unread(
  reason: string,
  always: string | undefined,
  matched: MatchedRule,
  circumstances: Circumstances,
  /** The verdict of a rule that may apply to the command. */
  asking: Verdict | undefined,
  /** Whether it may run in yolo mode. */
  mayRun: boolean,
): Verdict {
  const why = l10n.t("Gantry can't tell what this runs: {0}.", reason);
  if (circumstances.mode === 'yolo') {
    if (matched.rule?.argsPattern) return verdict('deny', why, matched);
    if (always !== undefined) return gate(always, circumstances);
    if (asking) return asking;
    if (mayRun)
      return { ...verdict(matched.decision, why, matched), ...(circumstances.isConfined && { onlyConfined: true }) };
    return { ...verdict(asked(circumstances), why), isGate: true };
  }
  return verdict(asked(circumstances), why, asking);
}

function gate(because: string, circumstances: Circumstances): Verdict {
  return {
    decision: asked(circumstances),
    why: l10n.t('It requires approval in every mode, because of {0}.', because),
    isGate: true,
  };
}

/** A command that must ask but can't is refused. */
function asked({ interactive }: Circumstances): Verdict['decision'] {
  return interactive ? 'ask_user' : 'deny';
}

function verdict(decision: Verdict['decision'], why: string, { rule }: Pick<MatchedRule, 'rule'> = {}): Verdict {
  return { decision, why, ...(rule ? { rule } : {}) };
}

/** Whether a path certainly stays in the workspace, judged by its words. */
function isInWorkspace(path: string | undefined, folder: RunFolder | undefined, roots: readonly string[]): boolean {
  const from = folder?.path ?? roots[0];
  if (path === undefined || from === undefined || path.startsWith('~')) return false;
  const target = resolve(from, path);
  return [...roots, ...(folder ? [folder.root] : [])].some((root) => contains(root, target));
}
