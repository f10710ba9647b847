import { stringify } from 'smol-toml';
import { type Circumstances, type PolicyCall, TIERS } from '../../extension/policy/policy-types.ts';
import { APPROVAL_MODES } from '../../extension/protocol/agent/approval-mode.ts';
import type { Random } from './crash/random.ts';
import type { PolicyText } from './policy-oracle.ts';
import { pick, sometimes, wildLimits } from './wild-policies.ts';

const SIMPLE: readonly string[] = [
  // Plain commands.
  ...[
    'npm test',
    'npm install',
    'git commit -m "a b"',
    'git push',
    'make',
    'node x.js',
    './run.sh --x=1',
    'gitk',
    'mkdir out',
  ],
  // Commands that are more or less known to be harmless.
  ...['ls', 'ls -la src', 'git status', 'git log --oneline -5', 'git diff', 'cat a.txt', 'cat ../x', 'cat .env', 'pwd'],
  ...[
    'grep -rn "a b" .',
    'echo hi',
    "echo 'it is; fine'",
    'head -5 a',
    'sed -n 5p f',
    'find . -name x',
    'cd src',
    'wc -l a',
  ],
  ...['echo "$HOME" $x', 'ls *.js', 'git branch', 'uniq in out', 'sort a'],
  // Dangerous commands.
  ...['rm -rf x', 'rm x', 'rm -rf /', 'sudo rm -rf x', 'find . -exec rm {} \\;', 'find . -delete', 'git -c a=b status'],
  ...['git branch -D x', 'git diff --output=x', 'rg --pre x y', 'base64 -o x y', 'curl x', 'dd if=a of=/dev/sda'],
  // Wrappers.
  ...[
    "bash -c 'git status'",
    'sh -c "npm test && git push"',
    "zsh -c 'ls'",
    '/bin/bash -c "rm -rf x"',
    'env ls',
    'timeout 5 npm test',
  ],
  ...['sudo git push', 'xargs rm', "bash -c 'git log > x'", 'time git status', 'nice npm test', "eval 'git push'"],
  // Substitutions and assignments.
  ...[
    'echo $(git status)',
    'echo `npm test`',
    'cat <(git log)',
    'FOO=1 npm test',
    'PATH=. git status',
    'export A=b',
    'A=1',
  ],
  ...['echo "${x:-$(rm x)}"', 'git log $(cat a)', 'declare x=1', '$cmd x', '[ -f x ]', '[[ a == b ]]', '((a=1))'],
  // Lines that are hard or impossible to parse.
  ...[
    "git status 'a",
    'git log (',
    'npm test &&',
    'echo ${x@P}',
    '',
    '   ',
    '# nothing',
    'git"x"',
    "git'x' status",
    'git\tstatus',
  ],
];

const REDIRECTIONS = ['> out.txt', '2>&1', '>> log', '< in.txt', '2>/dev/null', '<<< "x y"', '> .git/config', '> $x'];
const JOINTS = ['&&', '||', ';', '|', '&', '\n'];

/** A command line of up to three commands, some of them in blocks. */
export function wildCommand(random: Random, depth = 0): string {
  const inner = (): string => wildCommand(random, depth + 1);
  const kind = depth > 2 ? 0 : random.below(14);
  if (kind < 7) return pick(random, SIMPLE);
  if (kind < 9) return `${pick(random, SIMPLE)} ${pick(random, REDIRECTIONS)}`;
  if (kind < 12) return `${inner()} ${pick(random, JOINTS)} ${inner()}`;
  const [a, b] = [inner(), inner()];
  const around = [
    `(${a})`,
    `{ ${a}; }`,
    `! ${a}`,
    `if ${a}; then ${b}; fi`,
    `for i in a b; do ${a}; done`,
    `echo "$(${a})"`,
  ];
  return pick(random, [...around, `f() { ${a}; }`, `while ${a}; do ${b}; done > out`, `cat <<EOF\n$(${a})\nEOF\n`]);
}

export function wildShellCall(random: Random): PolicyCall {
  return {
    name: 'run_shell_command',
    args: {
      command: wildCommand(random),
      ...sometimes(random, 6, () => ({ dir_path: pick(random, ['src', '.git']) })),
      ...sometimes(random, 6, () => ({ description: 'git status' })),
    },
  };
}

const PREFIXES = [
  'git',
  'git status',
  'git log',
  'npm test',
  'npm',
  'rm',
  'cat',
  'ls',
  'echo',
  'bash',
  'find',
  'env',
  'sudo',
];
const REGEXES = ['git (status|log)', 'npm .*', '(ls|cat)\\b', '.*rm', 'git status|npm test', 'echo [^;&|]*$'];
const PATTERNS = ['"command":"git', 'push', '\\x00"command":"npm test"\\x00', '"description":"git', 'rm', ''];

/** One to three files of rules, mostly for the shell. Each rule's `denyMessage` is its name. */
export function wildShellPolicies(random: Random): PolicyText[] {
  let count = 0;
  return Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const rules = Array.from({ length: 1 + random.below(5) }, () => wildShellRule(random, `rule ${count++}`));
    return { name: `${index}.toml`, tier: pick(random, TIERS), text: stringify({ rule: rules }) };
  });
}

function wildShellRule(random: Random, name: string): Record<string, unknown> {
  const kind = random.below(6);
  const narrowed =
    kind < 2
      ? {
          commandPrefix:
            random.below(3) === 0 ? [pick(random, PREFIXES), pick(random, PREFIXES)] : pick(random, PREFIXES),
        }
      : kind === 2
        ? { commandRegex: pick(random, REGEXES) }
        : kind === 3
          ? { argsPattern: pick(random, PATTERNS) }
          : {};
  return {
    ...wildLimits(random, name),
    // Mostly rules that allow, because otherwise there would be little to restrict.
    ...sometimes(random, 2, () => ({ decision: 'allow' })),
    ...sometimes(random, 3, () => ({ allowRedirection: random.below(3) > 0 })),
    toolName: kind === 5 && random.below(2) === 0 ? '*' : 'run_shell_command',
    ...narrowed,
  };
}

export function wildShellCircumstances(random: Random, roots: readonly string[]): Circumstances {
  const [mode, interactive, trusted] = [pick(random, APPROVAL_MODES), random.below(3) > 0, random.below(3) > 0];
  return { mode, interactive, trusted, roots, sessionRules: [] };
}
