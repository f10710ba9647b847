import type { Random } from './crash/random.ts';

/** Programs that rules allow. If any other program runs, there is a hole. */
export const HARMLESS = ['echo', 'ls', 'cat', 'head', 'git log'] as const;
/** Programs that no rule allows. */
export const HARMFUL = ['touch', 'rm', 'evil', 'PWN'] as const;

/** Pieces of lines on which shells and grammars are known to disagree, or may disagree. */
const TRICKY: readonly string[] = [
  ..."\\ |\\|\\\\|'|\"|$'|$\"|$'\\\\'|$'\\''|#| #|\\#|;|;;|&|&&|(|)|((|))|{|}|[[|]]|[|]|==|=~|=|!=|<|>|>>|<<EOF|<<'EOF'|<<-E|EOF|<<<|<(|>(|$(|`|${|${x:-|${x#|$x|${x}|$?|$1|$@|$((|!|!!|*|?|[a]|{a,b}|{1..3}|~|=ls|=(|^|^a|%|%1|@(a)|+(b)|case x in a)|;;&|esac|if|then|else|fi|for i in a|do|done|function f|f()|f() {|time|coproc|select i in a|alias ls=touch|2>&1|>&2|&>|&>>|>|2>|{fd}>|x=1|A+=b|a[0]=1|-|--|-n|-e|eval|exec|command|builtin|.|:|true|false|in|a|b|\"a b\"|'c d'|\"$x\"|\"\\\"\"|'\\'|x=~|repeat 2|nocorrect|noglob|always|]] #|\\\"".split(
    '|',
  ),
  '|',
  '||',
  '|&',
  '\n',
  '\n\n',
  '\\\n',
  ' \\\n',
  '\n\\',
  '\t',
  '\r',
  '\r\n',
  '\f',
  '\v',
  '\0',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\u200b',
  '\u3000',
  'ü',
  '💥',
];

/** Lines that once ran although nothing allowed them, or that look similar. */
export const KNOWN: readonly string[] = [
  'echo \\ #; touch PWN',
  "echo $'\\\\'; touch PWN #'",
  'echo == ; touch PWN ]]',
  'ls \n\\touch PWN',
  'ls \n \\touch PWN',
  'echo a\\\n#; touch PWN',
  "echo $'\\''; touch PWN #'",
  'echo $"a\\"; touch PWN; "',
  'echo [[ ; touch PWN ; ]]',
  'echo =~ ; touch PWN ]]',
  'echo a == b; touch PWN',
  'cat <<EOF; touch PWN\nx\nEOF',
  'cat <<EOF\nx\nEOF\ntouch PWN',
  "cat <<'E'\nx\nE\ntouch PWN",
  'cat <<-\tE\nx\n\tE\ntouch PWN',
  'cat <<E\\\nOF\nx\nEOF\ntouch PWN',
  'echo x\\\n; touch PWN',
  'echo case x in a; touch PWN;; esac',
  'case a in a) touch PWN;; esac',
  'case a in (a) touch PWN;; esac',
  'echo a\rtouch PWN',
  'echo a\u00a0; touch PWN',
  'echo a\u2028touch PWN',
  'ls !!; touch PWN',
  'ls {a,b}; touch PWN',
  'ls =(touch PWN)',
  'ls <(touch PWN)',
  'ls > >(touch PWN)',
  'alias ls=touch\nls PWN',
  'ls() { touch PWN; }; ls',
  `echo \${x:-\`touch PWN\`}`,
  `echo "\${x:-$(touch PWN)}"`,
  "echo '\\'; touch PWN #'",
  'echo "\\\\"; touch PWN #"',
  'echo \\"; touch PWN #"',
  "echo \\'; touch PWN #'",
  'echo a#b; touch PWN',
  'echo a #b; touch PWN',
  'echo "a" #b\ntouch PWN',
  'echo ;; touch PWN',
  'echo & touch PWN',
  'echo |& touch PWN',
  'echo &>x touch PWN',
  'echo 2>&1; touch PWN',
  'echo >&2 2>x;touch PWN',
  'if ls; then touch PWN; fi',
  'for i in a; do touch PWN; done',
  'for echo in a; do touch PWN; done',
  'echo do; touch PWN; done',
  '{ ls; touch PWN; }',
  '( ls; touch PWN )',
  'echo } ; touch PWN',
  'echo { ; touch PWN',
  'time touch PWN',
  '! touch PWN',
  'ls; \\touch PWN',
  'ls; "touch" PWN',
  "ls; to''uch PWN",
  'ls; t\\ouch PWN',
  'ls;touch\tPWN',
  'x=touch; $x PWN',
  'eval touch PWN',
  "eval 'touch' PWN",
  'command touch PWN',
  'echo $((`touch PWN`))',
  'echo [$(touch PWN)]',
  'echo ~; touch PWN',
  'echo ^a^b; touch PWN',
  'echo $[1]; touch PWN',
  'ls \\\n\\\ntouch PWN',
  'ls \\\\\ntouch PWN',
  "ls '\n'\ntouch PWN",
  'ls "\\\n"\ntouch PWN',
];

/** A line that begins harmlessly and continues wildly. */
export function wildLine(random: Random, corpus: readonly string[]): string {
  const kind = random.below(4);
  if (kind === 0) return mutated(random, pick(random, corpus));
  // Mostly plain lines, so that many are allowed and their quoting is tested too.
  return kind === 1 ? plainLine(random) : trickyLine(random);
}

function trickyLine(random: Random): string {
  let line = `${pick(random, HARMLESS)} `;
  const count = 1 + random.below(6);
  for (let index = 0; index < count; index++) line += piece(random) + (random.below(2) === 0 ? ' ' : '');
  return random.below(3) === 0
    ? line
    : `${line}${pick(random, [' ', '\n', '; ', ';', ''])}touch PWN${random.below(2) === 0 ? piece(random) : ''}`;
}

function piece(random: Random): string {
  return random.below(4) === 0 ? pick(random, [...HARMLESS, ...HARMFUL]) : pick(random, TRICKY);
}

const JOINTS = [' ', ' ', ' ', ' && ', ' || ', '; ', ' | ', '\n', ' & '];
const ARGUMENTS = [
  'a',
  "'b c'",
  '"d e"',
  '\\ ',
  "it\\'s",
  '""',
  '"\\\\"',
  "'#'",
  'a#b',
  "'$x'",
  '"\\$x"',
  '*',
  'a?',
  '$x',
  '"$x"',
  '> out',
  '2>&1',
  '2>/dev/null',
  '&> out',
  '# no',
  '-n',
  'a=b',
  '{}',
  '!',
  '^',
  "'\n'",
  '"a\nb"',
  ']]',
  '==',
  'ü',
  '%',
  '=ls',
  '~',
  '\\\n',
];

/** Commands that rules allow, with words that need quoting. */
function plainLine(random: Random): string {
  let line = '';
  const count = 1 + random.below(3);
  for (let index = 0; index < count; index++) {
    line += (index === 0 ? '' : pick(random, JOINTS)) + pick(random, HARMLESS);
    for (let words = random.below(5); words > 0; words--) line += ` ${pick(random, ARGUMENTS)}`;
  }
  const around = random.below(12);
  if (around === 0) return `( ${line} )`;
  if (around === 1) return `{ ${line}; }`;
  if (around === 2) return `for i in a 'b c'; do ${line}; done`;
  return around === 3 ? `if ${line}; then ls; else cat; fi` : line;
}

function mutated(random: Random, line: string): string {
  let text = line;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(text.length + 1);
    const end = Math.min(text.length, at + 1 + random.below(4));
    const change = random.below(4);
    if (change === 0) text = text.slice(0, at) + text.slice(end);
    else if (change === 1) text = text.slice(0, end) + text.slice(at);
    else text = text.slice(0, at) + piece(random) + text.slice(change === 2 ? at : end);
  }
  return text;
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.below(choices.length)] as T;
}
