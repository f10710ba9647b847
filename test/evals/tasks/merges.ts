import { edit, read, run, type Task, write } from '../task.ts';

const NO_CONFLICT = `if git ls-files --unmerged | grep -q .; then echo 'the index has conflicts'; exit 1; fi
if git grep -nE '^(<<<<<<<|=======|>>>>>>>)'; then echo 'markers are left'; exit 1; fi`;

/** Two branches that changed the same lines, with the merge begun. */
function begun(theirs: string, ours: string): string {
  return `git switch --quiet --create theirs
${theirs}
git commit --quiet --all --message 'Their change'
git switch --quiet main
${ours}
git commit --quiet --all --message 'Our change'
git merge --quiet theirs > /dev/null 2>&1 || true`;
}

const put = (path: string, text: string): string => `cat > ${path} <<'TEXT'\n${text}TEXT`;

export const MERGE_TASKS: readonly Task[] = [
  {
    id: 'merge-both-sides',
    language: 'Python',
    kind: 'merge conflict',
    level: 2,
    needs: ['python3', 'bash'],
    make: (vary) => {
      const [discount, shipping] = [vary.int(5, 15), vary.int(3, 9)];
      const price = (...lines: readonly string[]): string =>
        `def price(cents, amount):\n${lines.map((line) => `    ${line}\n`).join('')}`;
      const merged = price(
        'total = cents * amount',
        'if amount >= 10:',
        `    total = total * ${100 - discount} // 100`,
        `return total + ${shipping}00`,
      );
      return {
        files: { 'price.py': price('return cents * amount'), '.gitignore': '__pycache__\n' },
        prepare: begun(
          put(
            'price.py',
            price(
              'total = cents * amount',
              'if amount >= 10:',
              `    total = total * ${100 - discount} // 100`,
              'return total',
            ),
          ),
          put('price.py', price('total = cents * amount', `return total + ${shipping}00`)),
        ),
        prompts: [
          'I am in the middle of a merge. One side gives a discount from ten pieces on, the other adds shipping. Both are wanted; shipping has no discount. Resolve it and stage the file, but let me make the commit.',
        ],
        mayChange: ['price.py'],
        check: async (result) => {
          await result.bash(`${NO_CONFLICT}\ntest -e .git/MERGE_HEAD`);
          await result.python(`from price import price
assert price(100, 1) == ${100 + shipping * 100}
assert price(100, 10) == ${1000 - discount * 10 + shipping * 100}`);
        },
        solution: [
          {
            turns: [
              [run('git status --short'), read('price.py')],
              [write('price.py', merged)],
              [run('git add price.py')],
              [run('git status --short')],
            ],
            answer: 'price.py has both, and is staged. The merge waits for your commit.',
          },
        ],
      };
    },
  },
  {
    id: 'merge-renamed',
    language: 'TypeScript',
    kind: 'merge conflict',
    level: 3,
    needs: ['bash'],
    make: () => ({
      files: {
        'src/user.mjs': 'export function getName(user) {\n  return user.name;\n}\n',
        'src/page.mjs':
          "import { getName } from './user.mjs';\n\nexport const title = (user) => `Hello, ${getName(user)}`;\n",
      },
      prepare: begun(
        `${put('src/user.mjs', "export function getName(user) {\n  return user.name ?? 'guest';\n}\n")}
${put('src/menu.mjs', "import { getName } from './user.mjs';\n\nexport const menu = (user) => [getName(user), 'Log out'];\n")}
git add --all`,
        `${put('src/user.mjs', 'export function displayName(user) {\n  return user.name;\n}\n')}
${put('src/page.mjs', "import { displayName } from './user.mjs';\n\nexport const title = (user) => `Hello, ${displayName(user)}`;\n")}`,
      ),
      prompts: [
        'Finish this merge and commit it. We renamed getName to displayName; they made it work for users without a name. Nobody should import the old name afterwards.',
      ],
      mayChange: ['src/*.mjs'],
      mayCommit: true,
      check: async (result) => {
        await result.bash(`${NO_CONFLICT}
if test -e .git/MERGE_HEAD; then echo 'the merge is not committed'; exit 1; fi
test "$(git rev-list --parents -n 1 HEAD | wc -w)" -eq 3
test -z "$(git status --porcelain)"
if git grep -n getName; then exit 1; fi`);
        await result.node(`import assert from 'node:assert/strict';
import { menu } from './src/menu.mjs';
import { title } from './src/page.mjs';
assert.equal(title({}), 'Hello, guest');
assert.deepEqual(menu({ name: 'Ann' }), ['Ann', 'Log out']);`);
      },
      solution: [
        {
          turns: [
            [
              run('git status --short'),
              run('git grep -n -e getName -e displayName'),
              read('src/user.mjs'),
              read('src/menu.mjs'),
            ],
            [
              write('src/user.mjs', "export function displayName(user) {\n  return user.name ?? 'guest';\n}\n"),
              edit(
                'src/menu.mjs',
                "import { getName } from './user.mjs';",
                "import { displayName } from './user.mjs';",
              ),
              edit('src/menu.mjs', '[getName(user)', '[displayName(user)'),
            ],
            [run('git add --all && git commit --quiet --no-edit')],
          ],
          answer: 'The merge is committed; menu.mjs, which came with it, uses the new name too.',
        },
      ],
    }),
  },
  {
    id: 'merge-keep-work',
    language: 'shell',
    kind: 'merge conflict',
    level: 2,
    needs: ['bash'],
    make: (vary) => {
      const port = vary.int(3000, 9000);
      return {
        files: { 'app.conf': 'port=80\nname=app\n', 'notes.txt': 'first\n' },
        prepare: `git switch --quiet --create port
sed -i.bak s/port=80/port=${port}/ app.conf && rm app.conf.bak
git commit --quiet --all --message 'Another port'
git switch --quiet main
echo second >> notes.txt
echo draft > idea.txt`,
        prompts: [
          'Bring the commit of the branch "port" into main. I have work in progress here that is not committed; it must stay exactly as it is, uncommitted.',
        ],
        mayChange: ['app.conf'],
        mayCommit: true,
        check: async (result) => {
          await result.bash(`test "$(git branch --show-current)" = main
git show HEAD:app.conf | grep -qx port=${port}
test "$(git show HEAD:notes.txt)" = first
test "$(cat notes.txt)" = $'first\\nsecond'
test "$(cat idea.txt)" = draft
test "$(git status --porcelain)" = $' M notes.txt\\n?? idea.txt'
test -z "$(git stash list)"`);
        },
        solution: [
          {
            turns: [
              [run('git status --short && git --no-pager log --oneline --all')],
              [run('git merge --quiet port')],
              [run('git status --short')],
            ],
            answer: 'main has the commit of port. notes.txt and idea.txt are as they were.',
          },
        ],
      };
    },
  },
];
