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

/** Lines that build the name of a program when they run. */
const BUILT: readonly string[] = [
  'x=tou; "$x"ch PWN',
  'x=tou; ls && command "$x"ch PWN',
  '$(printf tou)ch PWN',
  'ls | builtin command $(printf touch) PWN',
  'eval "tou$(printf ch) PWN"',
  'echo a; eval "$(printf "tou%s PWN" ch)"',
  'read x <<< touch; $x PWN',
  'trap "$(printf \'tou%s PWN\' ch)" EXIT; exit',
];

/** A line that builds the name of a program, changed at random more often than not. */
export function builtLine(random: Random): string {
  const line = pick(random, BUILT);
  return random.below(3) === 0 ? line : mutated(random, line);
}

/** A line that begins harmlessly and continues wildly. */
export function wildLine(random: Random, corpus: readonly string[]): string {
  const kind = random.below(6);
  if (kind === 4) return compoundLine(random, 0);
  if (kind === 5) return mutated(random, compoundLine(random, 0));
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

const WORDS = [
  'a',
  'b c',
  "'it is'",
  '"$x"',
  '$x',
  '"a $y b"',
  '"$(echo in "$x")"',
  '$(ls a)',
  '`cat b`',
  '"`ls $x`"',
  '${x:-y}',
  '"${x:-a b}"',
  '${x:+z}',
  '${y:=w}',
  '${x%.*}',
  '${x##*/}',
  '${x//a/b}',
  '"${x/a b/c}"',
  '${#x}',
  '${x:0:2}',
  '$1',
  '"$@"',
  '$#',
  '$?',
  '$*',
  '$-',
  '[a-c]',
  'a[!b]*',
  '{a,b}',
  'x{1..3}y',
  '{c..a}',
  '{a,b{c,d}}e',
  '"q"{a,$x}',
  '{,a}',
  '{a',
  "$'a\\tb'",
  "$'\\x41\\'b'",
  "$'\\\\'",
  '$((1 + 2))',
  '$(( (3 - 1) * m ))',
  '$((m+1))',
  '"$((7/2))"',
  '${!x}',
  '${x@Q}',
  '$[1+1]',
  '"\\$x"',
  '"a$"',
  '"$|"',
  'e=f',
  '--g={h,i}',
  '"a\nb"',
  '\\\n',
  "''$x",
  '"$(cat <<E\nin $x\nE\n)"',
  "$(cat <<'E'\nin (it's\nE\n)",
  '<(ls)',
];
const SETTINGS = [
  'x=1',
  'x=a.b',
  "x='b c'",
  'x=$(echo d)',
  'x="$y"',
  'x=~',
  'x={a,b}',
  'x=*',
  'x+=e',
  'm=1',
  'm=$((m+1))',
  'y=${x:-f}',
  "y=$'g\\nh'",
  'IFS=,',
  'x=(a b)',
  "x='a[$(touch PWN)]'",
  'x=`echo i`',
  'A= B=c',
];
const INPUTS = [
  ' <<E\nin $x\nE',
  " <<'E'\nin $x\nit's (\nE",
  ' <<-E\n\tin\n\tE',
  ' <<E\nin $(echo h) \\$x \\\\\nE',
  ' <<E\nin \\\nE\nE',
  ' <<E | cat\nin\nE',
  ' <<E && ls\nE\n',
  ' <<< x',
  ' <<< "in $x"',
  ' <<< $(echo s)',
  ' > out <<E\nin\nE',
  ' <<E > out\n`touch PWN`\nE',
  ' <<E <<F\nE\nF',
  ' < /dev/null',
  ' <<"E F"\nE F',
  ' <<E; touch PWN\nE',
];
const CONDITIONS = [
  '[[ -n $x ]]',
  '[[ $x == a* ]]',
  '[[ "$x" != b && ! -f y ]]',
  '[[ ( -z $x || $x = "a*" ) ]]',
  '[[ $m -gt 0 ]]',
  '[[ $x =~ ^a ]]',
  '[[ a < b ]]',
  '[[ -v x ]]',
  '[ "$x" = a ]',
  '[ -n $x ]',
  'test $m -eq 1',
  '[[ $(ls) ]]',
  '[[ $x == {a,b} ]]',
  "[[ '-f' == a ]]",
];
const PATTERNS = ['a', '*', 'a*', '[a-c]', '"b c"', 'a|b', '(c', '$x', '?)', "''", '{a,b}', '-f', "'*'"];

/** Lines with assignments, substitutions, here-documents, conditions, loops and functions. */
function compoundLine(random: Random, depth: number): string {
  const simple = (): string => {
    let line = random.below(3) === 0 ? `${pick(random, SETTINGS)} ` : '';
    line += pick(random, HARMLESS);
    for (let words = random.below(4); words > 0; words--) line += ` ${pick(random, WORDS)}`;
    return random.below(4) === 0 ? line + pick(random, INPUTS) : line;
  };
  const inner = (): string => (depth > 2 || random.below(2) === 0 ? simple() : compoundLine(random, depth + 1));
  const kind = random.below(13);
  if (kind === 0) return `${pick(random, SETTINGS)}; ${inner()}`;
  if (kind === 1) return `${pick(random, SETTINGS)}\n${inner()}`;
  if (kind === 2) return `export ${pick(random, SETTINGS)}; ${inner()}`;
  if (kind === 3) return `${pick(random, CONDITIONS)} && ${inner()}`;
  if (kind === 4) return `if ${pick(random, CONDITIONS)}; then ${inner()}\nelse ${inner()}\nfi`;
  if (kind === 5)
    return `case ${pick(random, WORDS)} in ${pick(random, PATTERNS)}) ${inner()};; ${pick(random, PATTERNS)}) ${inner()}\n;; esac`;
  if (kind === 6) return `for i in ${pick(random, WORDS)} ${pick(random, WORDS)}; do ${inner()}\ndone`;
  if (kind === 7) return `echo ${pick(random, WORDS)}$(${inner()}\n)`;
  if (kind === 8) return `echo "${pick(random, ['', 'a ', '$x'])}$(${inner()}\n)"`;
  if (kind === 9) return `f() { ${inner()}\n}; f ${pick(random, WORDS)}`;
  if (kind === 10) return `${inner()}\n${inner()}`;
  if (kind === 11) return `(${inner()}\n)`;
  return `set -- ${pick(random, WORDS)}; ${inner()}`;
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
