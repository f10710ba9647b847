import { edit, solve, type Task, write } from '../task.ts';

export const SHELL_TASKS: readonly Task[] = [
  {
    id: 'sh-spaces',
    language: 'shell',
    kind: 'bug',
    level: 1,
    needs: ['bash'],
    make: (vary) => {
      const extension = vary.pick(['log', 'tmp', 'bak']);
      return {
        files: {
          'clean.sh': `#!/usr/bin/env bash
# Deletes the *.${extension} files of a folder, and prints how many there were.
set -eu
folder=$1
count=0
for file in $(ls $folder/*.${extension} 2>/dev/null); do
  rm $file
  count=$((count + 1))
done
echo $count
`,
        },
        prompts: ['clean.sh fails for names with spaces. Fix it.'],
        mayChange: ['clean.sh'],
        check: async (result) => {
          await result.bash(`d=$(mktemp -d); mkdir "$d/my files"
touch "$d/my files/a b.${extension}" "$d/my files/c.${extension}" "$d/my files/*.${extension}" "$d/my files/keep.txt" "$d/my files/-x.${extension}"
[ "$(bash clean.sh "$d/my files")" = 4 ]
[ "$(ls "$d/my files")" = keep.txt ]
[ "$(bash clean.sh "$d/my files")" = 0 ]
rm -r "$d"`);
        },
        solution: [
          solve(
            [
              edit(
                'clean.sh',
                `for file in $(ls $folder/*.${extension} 2>/dev/null); do\n  rm $file`,
                `for file in "$folder"/*.${extension}; do\n  [ -e "$file" ] || continue\n  rm -- "$file"`,
              ),
            ],
            ['bash -n clean.sh'],
            'The loop split names at spaces. It uses the shell pattern itself now, in quotes.',
          ),
        ],
      };
    },
  },
  {
    id: 'sh-lost-exit-code',
    language: 'shell',
    kind: 'bug',
    level: 2,
    needs: ['bash'],
    make: () => ({
      files: {
        'ci.sh': `#!/usr/bin/env bash
# Runs every step and keeps its output in out/.
set -e
mkdir -p out
for step in steps/*.sh; do
  name=$(basename "$step" .sh)
  bash "$step" | tee "out/$name.txt"
done
echo "all steps passed"
`,
        'steps/10-lint.sh': 'echo lint\n',
        'steps/20-build.sh': 'echo build\n',
        '.gitignore': 'out\n',
      },
      prompts: [
        'Yesterday steps/20-build.sh failed, but ci.sh printed "all steps passed" and ended with 0. It must run all steps even if one fails, then name each failed step in a line "failed: NAME" and end with 1. The output files stay as they are.',
      ],
      mayChange: ['ci.sh'],
      check: async (result) => {
        await result.bash(`d=$(mktemp -d); cp ci.sh "$d"; cd "$d"; mkdir steps
echo 'echo one' > steps/10-one.sh; echo 'echo two; exit 3' > steps/20-two.sh; echo 'echo three' > steps/30-three.sh
code=0; out=$(bash ci.sh 2>&1) || code=$?
[ "$code" = 1 ]
grep -qx 'failed: 20-two' <<< "$out"
grep -qx three <<< "$out"
if grep -q 'all steps passed' <<< "$out" || grep -q 'failed: 10' <<< "$out"; then exit 1; fi
[ "$(cat out/20-two.txt)" = two ]
echo 'echo two' > steps/20-two.sh
bash ci.sh | grep -qx 'all steps passed'
cd /; rm -r "$d"`);
      },
      solution: [
        solve(
          [
            edit(
              'ci.sh',
              'bash "$step" | tee "out/$name.txt"\ndone\necho "all steps passed"',
              'bash "$step" | tee "out/$name.txt" || failed+=("$name")\ndone\nif [ "${#failed[@]}" -gt 0 ]; then\n  printf \'failed: %s\\n\' "${failed[@]}"\n  exit 1\nfi\necho "all steps passed"',
            ),
            edit('ci.sh', 'set -e\n', 'set -eo pipefail\nfailed=()\n'),
          ],
          ['bash ci.sh'],
          'The pipe to tee hid the exit code. Failed steps are collected and named now.',
        ),
      ],
    }),
  },
  {
    id: 'sh-backup-rotation',
    language: 'shell',
    kind: 'feature',
    level: 2,
    needs: ['bash'],
    make: (vary) => {
      const keep = vary.int(3, 5);
      return {
        files: {
          'backup.sh': `#!/usr/bin/env bash
# backup.sh SOURCE TARGET: copies SOURCE to TARGET/NUMBER, where NUMBER is one more than the last.
set -euo pipefail
source=$1 target=$2
mkdir -p "$target"
last=$(ls "$target" | grep -E '^[0-9]+$' | sort -n | tail -n 1 || true)
cp -R "$source" "$target/$((\${last:-0} + 1))"
`,
          'README.md': '# Backups\n\n`backup.sh SOURCE TARGET` makes a numbered copy.\n',
        },
        prompts: [
          `Let backup.sh keep only the ${keep} newest copies. Other files in the target folder must survive. Mention it in the README.`,
        ],
        mayChange: ['backup.sh', 'README.md'],
        check: async (result) => {
          await result.bash(`d=$(mktemp -d); mkdir "$d/source"; echo x > "$d/source/file"; mkdir "$d/target"; touch "$d/target/notes.txt" "$d/target/7-old"
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do bash backup.sh "$d/source" "$d/target" > /dev/null; done
[ "$(ls "$d/target" | grep -cE '^[0-9]+$')" = ${keep} ]
[ "$(ls "$d/target" | grep -E '^[0-9]+$' | sort -n | head -n 1)" = ${13 - keep} ]
[ -e "$d/target/12/file" ] && [ -e "$d/target/notes.txt" ] && [ -e "$d/target/7-old" ]
rm -r "$d"; grep -q '${keep}' README.md`);
        },
        solution: [
          solve(
            [
              edit(
                'backup.sh',
                'cp -R "$source" "$target/$((${last:-0} + 1))"\n',
                `next=$((\${last:-0} + 1))\ncp -R "$source" "$target/$next"\nfor name in $(ls "$target" | grep -E '^[0-9]+$' || true); do\n  [ "$name" -gt $((next - ${keep})) ] || rm -rf -- "\${target:?}/$name"\ndone\n`,
              ),
              edit('README.md', 'makes a numbered copy.', `makes a numbered copy and keeps the ${keep} newest.`),
            ],
            ['bash -n backup.sh'],
            `Only the ${keep} newest copies stay.`,
          ),
        ],
      };
    },
  },
  {
    id: 'sh-portable-options',
    language: 'shell',
    kind: 'feature',
    level: 3,
    needs: ['bash'],
    make: () => ({
      files: {
        'greet.sh': `#!/usr/bin/env bash
# greet.sh NAME…
for name in "$@"; do
  echo "Hello, $name!"
done
`,
      },
      prompts: [
        'Give greet.sh options: `-g WORD` or `--greeting=WORD` instead of "Hello", `-u` for upper case output, `-h` prints one line that starts with "usage:" and ends with 0. `--` ends the options. An unknown option prints the usage line to stderr and ends with 2, as does no name at all. Options come before names.',
      ],
      mayChange: ['greet.sh', 'README.md'],
      check: async (result) => {
        await result.bash(`g() { bash greet.sh "$@"; }
[ "$(g Ann 'Bo Li')" = $'Hello, Ann!\\nHello, Bo Li!' ]
[ "$(g -g Hi Ann)" = 'Hi, Ann!' ]
[ "$(g --greeting='Good day' -u Ann)" = 'GOOD DAY, ANN!' ]
[ "$(g -- -u)" = 'Hello, -u!' ]
g -h | grep -q '^usage:'
for bad in -x --nope; do code=0; err=$(g $bad Ann 2>&1 >/dev/null) || code=$?; [ "$code" = 2 ]; grep -q '^usage:' <<< "$err"; done
code=0; g > /dev/null 2>&1 || code=$?; [ "$code" = 2 ]
code=0; g -g > /dev/null 2>&1 || code=$?; [ "$code" = 2 ]`);
      },
      solution: [
        {
          turns: [
            [{ name: 'read_file', args: { file_path: 'greet.sh' } }],
            [
              write(
                'greet.sh',
                `#!/usr/bin/env bash
# greet.sh [-g WORD | --greeting=WORD] [-u] [--] NAME…
usage='usage: greet.sh [-g WORD | --greeting=WORD] [-u] [--] NAME…'
fail() {
  echo "$usage" >&2
  exit 2
}

greeting=Hello
upper=false
while [ $# -gt 0 ]; do
  case $1 in
    -g)
      [ $# -ge 2 ] || fail
      greeting=$2
      shift
      ;;
    --greeting=*) greeting=\${1#*=} ;;
    -u) upper=true ;;
    -h)
      echo "$usage"
      exit 0
      ;;
    --)
      shift
      break
      ;;
    -*) fail ;;
    *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || fail

for name in "$@"; do
  line="$greeting, $name!"
  if $upper; then line=$(tr '[:lower:]' '[:upper:]' <<< "$line"); fi
  echo "$line"
done
`,
              ),
            ],
            [{ name: 'run_shell_command', args: { command: 'bash greet.sh -u --greeting=Hi Ann' } }],
          ],
          answer: 'greet.sh understands the options now.',
        },
      ],
    }),
  },
];
