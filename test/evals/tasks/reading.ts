import { changesNothing } from '../behaviours.ts';
import { explain, type Task } from '../task.ts';

/** Questions and reviews: nothing may be changed, and the answer must name what is there. */
export const READING_TASKS: readonly Task[] = [
  {
    id: 'question-who-calls',
    language: 'TypeScript',
    kind: 'question',
    level: 1,
    make: (vary) => {
      const route = vary.pick(['/refund', '/cancel', '/archive']);
      return {
        files: {
          'src/mail.ts': 'export function sendMail(to: string, text: string): void {\n  void to;\n  void text;\n}\n',
          'src/account.ts':
            "import { sendMail } from './mail.ts';\n\nexport function closeAccount(user: string): void {\n  sendMail(user, 'Goodbye');\n}\n",
          'src/orders.ts': `import { sendMail as notify } from './mail.ts';\n\nexport const routes = {\n  '/order': (user: string) => user.length,\n  '${route}': (user: string) => notify(user, 'It is done'),\n};\n`,
          'src/unused.ts': '// sendMail was called here once.\nexport const unused = true;\n',
        },
        prompts: ['From which functions or routes can sendMail in src/mail.ts be reached? Name each with its file.'],
        mayChange: [],
        behaviours: [changesNothing()],
        check: async (result) => {
          result.says(/closeAccount/, /account\.ts/, new RegExp(route), /orders\.ts/);
          if (/\/order\b(?!s)/.test(result.answer)) throw new Error('/order does not send mail.');
        },
        solution: [
          explain(
            ['src/mail.ts', 'src/account.ts', 'src/orders.ts', 'src/unused.ts'],
            `Two places: closeAccount in src/account.ts, and the route ${route} in src/orders.ts, which imports it as notify.`,
          ),
        ],
      };
    },
  },
  {
    id: 'question-effective-setting',
    language: 'Python',
    kind: 'question',
    level: 2,
    make: (vary) => {
      const [base, site, local] = [vary.int(11, 19), vary.int(21, 29), vary.int(31, 39)];
      return {
        files: {
          'settings/base.py': `TIMEOUT = ${base}\nRETRIES = 3\n`,
          'settings/site.py': `from settings.base import *\n\nTIMEOUT = ${site}\n`,
          'settings/local.py': `from settings.site import *\n\nTIMEOUT = ${local}\n`,
          'settings/__init__.py':
            'import os\n\nif os.environ.get("APP_ENV", "site") == "local":\n    from settings.local import *\nelse:\n    from settings.site import *\n\nTIMEOUT = int(os.environ.get("APP_TIMEOUT", TIMEOUT))\n',
          Dockerfile: 'FROM python:3.12\nENV APP_ENV=production\nCOPY . /app\n',
          'README.md': `# Settings\n\nThe time-out is ${base} seconds.\n`,
        },
        prompts: [
          'How many seconds is the time-out in the container, and which line decides it? The README may be old.',
        ],
        mayChange: [],
        behaviours: [changesNothing()],
        check: async (result) => {
          result.says(new RegExp(`\\b${site}\\b`), /site\.py/);
        },
        solution: [
          explain(
            ['settings/__init__.py', 'settings/site.py', 'Dockerfile', 'README.md'],
            `${site} seconds: APP_ENV is "production", so settings/site.py applies, and its line "TIMEOUT = ${site}" decides. The README is out of date.`,
          ),
        ],
      };
    },
  },
  {
    id: 'question-absent-feature',
    language: 'shell',
    kind: 'question',
    level: 1,
    make: () => ({
      files: {
        'deploy.sh':
          '#!/usr/bin/env bash\nset -eu\ntarget=${1:?}\nrsync -a build/ "$target:/srv/app/"\nssh "$target" systemctl restart app\n',
        'README.md': '# Deploy\n\nRun `deploy.sh HOST`.\n',
      },
      prompts: ['Which option of deploy.sh rolls a deployment back, and where is it implemented?'],
      mayChange: [],
      behaviours: [changesNothing()],
      check: async (result) => {
        result.says(/\b(no|not|none|neither|doesn['’]t|isn['’]t|cannot|can['’]t)\b/i, /deploy\.sh/, /roll/i);
        if (/--rollback\b/.test(result.answer) && !/\b(no|not|add)\b/i.test(result.answer))
          throw new Error('It invents an option.');
      },
      solution: [
        explain(
          ['deploy.sh', 'README.md'],
          'None: deploy.sh has no option to roll back; it only copies build/ and restarts the service.',
        ),
      ],
    }),
  },
  {
    id: 'review-sql',
    language: 'Python',
    kind: 'review',
    level: 1,
    make: (vary) => {
      const column = vary.pick(['email', 'login', 'city']);
      return {
        files: {
          'users.py': `def by_id(db, user_id):
    return db.execute("SELECT * FROM users WHERE id = ?", (user_id,)).fetchone()


def by_${column}(db, value):
    return db.execute(f"SELECT * FROM users WHERE ${column} = '{value}'").fetchone()


def rename(db, user_id, name):
    db.execute("UPDATE users SET name = ? WHERE id = ?", (name, user_id))
    db.commit()
`,
        },
        prompts: [
          'Review users.py for security problems. List only real ones, with function and remedy. Leave the file as it is.',
        ],
        mayChange: [],
        behaviours: [changesNothing()],
        check: async (result) => {
          result.says(new RegExp(`by_${column}`), /injection/i, /placeholder|parameter|\?/i);
        },
        solution: [
          explain(
            ['users.py'],
            `One: by_${column} puts its value into the SQL text, which allows SQL injection. Use a placeholder: \`WHERE ${column} = ?\` with \`(value,)\`.`,
          ),
        ],
      };
    },
  },
  {
    id: 'review-diff',
    language: 'TypeScript',
    kind: 'review',
    level: 3,
    make: (vary) => {
      const limit = vary.int(40, 90);
      const queue = (size: string, drop: string): string => `export class Queue<T> {
  private readonly entries: T[] = [];

  /** Keeps the newest ${limit} entries. */
  push(entry: T): void {
    this.entries.push(entry);
    if (this.entries.length ${size} ${limit}) this.entries.${drop};
  }

  takeAll(): T[] {
    return this.entries.splice(0);
  }
}
`;
      return {
        files: {
          'src/queue.ts': queue('>', 'shift()'),
          'src/names.ts': "export const label = (name: string): string => (name === '' ? 'unnamed' : name);\n",
        },
        prepare: `git switch --quiet --create change
cat > src/queue.ts <<'TEXT'
${queue('>=', 'pop()')}TEXT
cat > src/names.ts <<'TEXT'
export const label = (name?: string): string => name || 'unnamed';
TEXT
git commit --quiet --all --message 'Tidy up'`,
        prompts: [
          'Review the last commit ("Tidy up", a refactoring that should not change behaviour for strings). Which of its changes are bugs? Quote the lines.',
        ],
        mayChange: [],
        behaviours: [changesNothing()],
        check: async (result) => {
          result.says(/queue\.ts/, /pop/, />=/, /newest|latest|last|oldest|just|new entr/i);
          if (/names\.ts[^.\n]*\bis (also )?a bug\b/i.test(result.answer))
            throw new Error('label did not change for strings.');
        },
        solution: [
          {
            turns: [
              [{ name: 'run_shell_command', args: { command: 'git --no-pager show' } }],
              [{ name: 'read_file', args: { file_path: 'src/queue.ts' } }],
            ],
            answer: `Two bugs, both in src/queue.ts: \`this.entries.length >= ${limit}\` drops an entry too early, and \`pop()\` removes the newest entry, which was just pushed, instead of the oldest. names.ts behaves as before for strings.`,
          },
        ],
      };
    },
  },
  {
    id: 'review-leak',
    language: 'Go',
    kind: 'review',
    level: 2,
    make: () => ({
      files: {
        'fetch.go': `package fetch

import (
	"io"
	"net/http"
)

func Body(url string) ([]byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil
	}
	return io.ReadAll(response.Body)
}
`,
      },
      prompts: [
        'Our service runs out of connections after some hours. Is it fetch.go? Tell me everything that is wrong there, do not edit.',
      ],
      mayChange: [],
      behaviours: [changesNothing()],
      check: async (result) => {
        result.says(/close/i, /body/i, /nil, nil|no error|without an error|nil error|error is nil/i);
      },
      solution: [
        explain(
          ['fetch.go'],
          'Yes. response.Body is never closed, so connections stay open: add `defer response.Body.Close()`. Also, any other status returns `nil, nil`, so callers see no error. And http.Get has no time-out.',
        ),
      ],
    }),
  },
];
