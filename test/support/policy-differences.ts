import { parse } from 'smol-toml';
import { z } from 'zod';
import type { Circumstances, Decision, PolicyCall, Verdict } from '../../extension/policy/policy-types.ts';
import type { OracleVerdict, PolicyText } from './policy-oracle.ts';

export interface Disagreement {
  readonly call: PolicyCall;
  readonly circumstances: Circumstances;
  readonly files: readonly PolicyText[];
  readonly ours: Verdict;
  readonly theirs: OracleVerdict;
}

export interface IntendedDifference {
  /** The behaviour of Gemini CLI 0.58.0, and the behaviour here. */
  readonly what: string;
  /** `as written`: the rule does what its text says, but did nothing or more in Gemini CLI. All others are stricter. */
  readonly effect: 'stricter' | 'as written';
  explains(disagreement: Disagreement): boolean;
}

/** All intended differences between decisions. A disagreement that none of them explains is a bug. */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [
  {
    what: 'A name that ends with "*" is compared letter by letter; here it stands for every name that begins so.',
    effect: 'as written',
    explains: ({ ours }) => isPrefix(ours.rule?.toolName ?? ''),
  },
  {
    what: 'mcpName = "*" with the name of one tool never matches; here it is that tool of every server.',
    effect: 'as written',
    explains: ({ ours }) => (ours.rule?.toolName ?? '').startsWith('mcp_*_'),
  },
  {
    what: 'A commandPrefix in a rule that allows covers the prefix and a quote glued to it (git"x" is gitx); not here.',
    effect: 'stricter',
    explains: ({ call }) => /^\S+["']/.test(commandOf(call)),
  },
  {
    what: 'A commandPrefix in a rule that refuses or asks does not see a tab or newline after the prefix; here it does.',
    effect: 'stricter',
    explains: ({ call }) => /[\t\n\r]/.test(commandOf(call)),
  },
];

/**
 * The intended differences for shell calls, where the command is analysed. The first one that matches is the reason.
 */
export const INTENDED_SHELL_DIFFERENCES: readonly IntendedDifference[] = [
  {
    what: 'Git asks in an untrusted folder if the line shows it in certain places; here wherever it would be run.',
    effect: 'stricter',
    explains: ({ ours, circumstances }) =>
      ours.isGate === true && !circumstances.trusted && /git could run/.test(ours.why),
  },
  {
    what: 'Nothing asks in every mode; here a write to a protected file and what destroys a disk or the workspace does.',
    effect: 'stricter',
    explains: ({ ours }) => ours.isGate === true,
  },
  {
    what: 'A rule covers a line with substitutions, assignments, functions and other things its commands do not show; here such a line asks.',
    effect: 'stricter',
    explains: ({ ours }) => ours.why.startsWith(NO_RULE) && !DANGER.test(ours.why),
  },
  {
    what: 'A rule covers tests, here-documents and other syntax as it came; here only a line that can be written anew from its words, unless a rule names exactly it.',
    effect: 'stricter',
    explains: ({ ours }) => ours.why.startsWith('Only a rule for exactly this line'),
  },
  {
    what: 'Dangerous commands ask by the first words of the line, unless the rule has a pattern; here each command of the line, with more options known to run or write something, unless a rule names exactly it.',
    effect: 'stricter',
    explains: ({ ours }) => ours.why.startsWith(NO_RULE) && DANGER.test(ours.why),
  },
  {
    what: 'A rule that refuses or asks about certain commands does not see a program that only the run shows; here it asks.',
    effect: 'stricter',
    explains: ({ ours }) => ours.why.includes('a command that a rule restricts'),
  },
  {
    what: 'A line without a command and what the grammar reads with doubt are judged by the rules; here they count as unreadable.',
    effect: 'stricter',
    explains: ({ ours }) => ours.why.startsWith("Gantry can't tell"),
  },
  {
    what: 'Harmless commands run though a rule that somebody wrote asks; here only the shipped rule and the default give way.',
    effect: 'stricter',
    explains: ({ ours, theirs }) =>
      isAsk(ours, theirs) && ours.rule !== undefined && ours.rule.source.tier !== 'default',
  },
  {
    what: 'Harmless commands run whatever files they name and options they have; here only in the workspace, not for secrets, with options that are known, and when somebody is there.',
    effect: 'stricter',
    explains: ({ ours, theirs }) => isAsk(ours, theirs) && /^Commands require approval/.test(ours.why),
  },
  {
    what: 'Of the programs that run others only shells are looked through; here env, timeout, sudo, xargs and others too.',
    effect: 'stricter',
    explains: ({ ours, call }) => PART.test(ours.why) && WRAPPER.test(commandOf(call)),
  },
  {
    what: 'In yolo mode a line that no rule covers as a whole runs unseen; here the rules are asked about its commands.',
    effect: 'stricter',
    explains: ({ ours, theirs, circumstances }) =>
      circumstances.mode === 'yolo' && theirs.rule === undefined && PART.test(ours.why),
  },
  {
    what: 'While edits are accepted no redirection asks; here one does that may write outside the workspace, unless the rules allow redirection.',
    effect: 'stricter',
    explains: ({ ours, circumstances }) => circumstances.mode === 'autoEdit' && /is redirected\.$/.test(ours.why),
  },
  {
    what: 'allowRedirection of the rule for the line is enough; here the rule for the redirected command needs it too.',
    effect: 'stricter',
    explains: ({ ours }) => /is redirected\.$/.test(ours.why),
  },
  {
    what: 'commandRegex = "a|b" in a rule that allows covers a line with b anywhere; here only one that begins with a or b. What follows is decided by the next rule.',
    effect: 'as written',
    explains: ({ files, call, ours, theirs }) =>
      rulesIn(files).some(
        (rule) =>
          isLooseAllow(rule, commandOf(call)) &&
          (rule['denyMessage'] === theirs.rule || isAtLeastAsStrict(ours.decision, theirs.decision)),
      ),
  },
  ...INTENDED_DIFFERENCES.filter(({ what }) => what.includes('commandPrefix')),
  {
    what: 'A refusal counts for a command as it is written; here also for its other spellings and for whatever a line that cannot be read may hold.',
    effect: 'stricter',
    explains: ({ ours }) => ours.decision === 'deny' && PART.test(ours.why),
  },
];

const NO_RULE = 'No rule can cover this, because of ';
/** The reason is about one command, which is named last, or about the first one. */
const DANGER = / in `.*`\.$|, if later words were meant/s;
const PART = /^`.*`(?: is refused)?: /s;
const WRAPPER = /\b(?:sh|bash|zsh|env|timeout|sudo|xargs|time|nice|find)\b/;

function isAsk(ours: Verdict, theirs: OracleVerdict): boolean {
  return ours.decision === 'ask_user' && theirs.decision === 'allow';
}

type Table = Readonly<Record<string, unknown>>;

function rulesIn(files: readonly PolicyText[]): Table[] {
  return files.flatMap(
    ({ text }) => z.object({ rule: z.array(z.record(z.string(), z.unknown())) }).parse(parse(text)).rule,
  );
}

function isLooseAllow({ decision, commandRegex }: Table, command: string): boolean {
  if (decision !== 'allow' || typeof commandRegex !== 'string') return false;
  const [first, ...others] = commandRegex.split('|');
  return first !== undefined && !first.includes('(') && others.some((other) => command.includes(other));
}

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask_user: 1, deny: 2 };

export function isAtLeastAsStrict(ours: Decision, theirs: Decision): boolean {
  return STRICTNESS[ours] >= STRICTNESS[theirs];
}

export function explanationOf(
  disagreement: Disagreement,
  table = INTENDED_DIFFERENCES,
): IntendedDifference | undefined {
  const isStricter = isAtLeastAsStrict(disagreement.ours.decision, disagreement.theirs.decision);
  return table.find(
    (difference) => difference.explains(disagreement) && (difference.effect === 'as written' || isStricter),
  );
}

/** The wildcard forms that Gemini CLI knows are `*`, `mcp_*` and `mcp_<server>_*`. */
function isPrefix(toolName: string): boolean {
  return toolName.endsWith('*') && toolName !== '*' && toolName !== 'mcp_*' && !/^mcp_.+_\*$/.test(toolName);
}

function commandOf({ args }: PolicyCall): string {
  return typeof args['command'] === 'string' ? args['command'] : '';
}
