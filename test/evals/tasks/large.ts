import { runs } from '../behaviours.ts';
import { edit, read, run, solve, type Task, write } from '../task.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Thousands of similar functions: what belongs together can't be read at once. */
function handlers(count: number, special: number, text: string): string {
  return numbers(count)
    .map((number) =>
      number === special ? text : `export function handle${number}(value) {\n  return value + ${number};\n}\n`,
    )
    .join('\n');
}

const PACKAGE = (name: string): string => `{ "name": "@shop/${name}", "type": "module", "exports": "./index.mjs" }\n`;

export const LARGE_TASKS: readonly Task[] = [
  {
    id: 'large-one-function',
    language: 'TypeScript',
    kind: 'large file',
    level: 1,
    make: (vary) => {
      const number = vary.int(800, 1500);
      const wrong = `export function handle${number}(value) {\n  return value - ${number};\n}\n`;
      const source = handlers(1800, number, wrong);
      return {
        files: { 'handlers.mjs': source },
        prompts: [`handle${number} in handlers.mjs subtracts its number. Every handler adds it. Fix that one.`],
        mayChange: ['handlers.mjs'],
        check: async (result) => {
          const right = source.replace(`value - ${number}`, `value + ${number}`);
          if ((await result.read('handlers.mjs')) !== right)
            throw new Error('The file is not as it was apart from that line.');
        },
        solution: [
          {
            turns: [
              [{ name: 'grep_search', args: { pattern: `handle${number}\\b` } }],
              [read('handlers.mjs', [number * 4 + 1, number * 4 + 4])],
              [edit('handlers.mjs', `return value - ${number};`, `return value + ${number};`)],
            ],
            answer: `handle${number} adds now.`,
          },
        ],
      };
    },
  },
  {
    id: 'large-odd-one-out',
    language: 'Python',
    kind: 'large file',
    level: 2,
    needs: ['python3'],
    make: (vary) => {
      const odd = vary.int(300, 1100);
      const row = (number: number, tax: string): string =>
        `    ("item-${number}", ${(number * 37) % 900}, "${tax}"),\n`;
      const rows = numbers(1200).map((number) =>
        row(number, number === odd ? 'ful' : number % 5 === 0 ? 'reduced' : 'full'),
      );
      return {
        files: {
          'catalog.py': `RATES = {"full": 20, "reduced": 5}\n\nITEMS = [\n${rows.join('')}]\n\n\ndef tax(name):\n    for item, price, rate in ITEMS:\n        if item == name:\n            return price * RATES[rate] // 100\n    raise LookupError(name)\n`,
          '.gitignore': '__pycache__\n',
        },
        prompts: ['tax() raises a KeyError for some item of catalog.py. Find the item and correct its entry.'],
        mayChange: ['catalog.py'],
        check: async (result) => {
          await result.python(`import catalog
assert len(catalog.ITEMS) == 1200 and catalog.RATES == {"full": 20, "reduced": 5}
for i, (name, price, rate) in enumerate(catalog.ITEMS):
    assert name == f"item-{i}" and price == i * 37 % 900 and rate == ("reduced" if i % 5 == 0 and i != ${odd} else "full"), name
    catalog.tax(name)`);
        },
        solution: [
          {
            turns: [
              [run(`grep -nvE '"(full|reduced)"\\),$' catalog.py`)],
              [edit('catalog.py', row(odd, 'ful').trim(), row(odd, 'full').trim())],
            ],
            answer: `item-${odd} had the rate "ful".`,
          },
        ],
      };
    },
  },
  {
    id: 'large-log-question',
    language: 'shell',
    kind: 'large file',
    level: 2,
    make: (vary) => {
      const culprit = vary.int(2000, 6000);
      const line = (number: number): string => {
        const time = new Date(Date.UTC(2026, 2, 1) + number * 1000).toISOString();
        if (number === culprit)
          return `${time} WARN pool: max connections lowered to 2 by config reload (user=deploy-bot)`;
        if (number > culprit && number % 7 === 0) return `${time} ERROR request ${number}: no connection within 500 ms`;
        return `${time} INFO request ${number}: done in ${(number * 13) % 90} ms`;
      };
      return {
        files: { 'logs/app.log': `${numbers(8000).map(line).join('\n')}\n` },
        prompts: [
          'Requests fail since some moment in logs/app.log. What happened directly before the first failure, when, and who did it?',
        ],
        mayChange: [],
        check: async (result) => {
          result.says(
            /deploy-bot/,
            /\b2\b/,
            new RegExp(new Date(Date.UTC(2026, 2, 1) + culprit * 1000).toISOString().slice(11, 19)),
          );
        },
        solution: [
          {
            turns: [[run('grep -nv INFO logs/app.log | head -n 3')]],
            answer: `At ${new Date(Date.UTC(2026, 2, 1) + culprit * 1000).toISOString()}, deploy-bot reloaded the configuration, which lowered the maximum of connections to 2.`,
          },
        ],
      };
    },
  },
  {
    id: 'monorepo-shared-change',
    language: 'TypeScript',
    kind: 'monorepo',
    level: 3,
    make: (vary) => {
      const currency = vary.pick(['EUR', 'SEK', 'USD']);
      const users = ['cart', 'invoice', 'mail'];
      const users2 = (name: string): string =>
        `import { format } from '../money/index.mjs';\n\nexport const ${name} = (cents) => \`${name}: \${format(cents)}\`;\n`;
      return {
        files: {
          'package.json':
            '{ "private": true, "workspaces": ["packages/*"], "scripts": { "test": "node --test packages/" } }\n',
          'packages/money/package.json': PACKAGE('money'),
          'packages/money/index.mjs': `export function format(cents) {\n  return (cents / 100).toFixed(2) + ' ${currency}';\n}\n`,
          ...Object.fromEntries(
            users.flatMap((name) => [
              [`packages/${name}/package.json`, PACKAGE(name)],
              [`packages/${name}/index.mjs`, users2(name)],
            ]),
          ),
          'packages/legacy/package.json': PACKAGE('legacy'),
          'packages/legacy/index.mjs':
            '/** Has its own format, on purpose: the printer needs it. */\nexport function format(cents) {\n  return String(cents);\n}\n\nexport const print = (cents) => format(cents);\n',
          'packages/cart/cart.test.mjs': `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { cart } from './index.mjs';\n\ntest('cart', () => assert.equal(cart(150), 'cart: 1.50 ${currency}'));\n`,
        },
        prompts: [
          `format of packages/money should take the currency as a second argument that must be given (a missing one throws a TypeError), and be called formatMoney. Adapt all packages that use it, they all show ${currency} for now. Then run npm test.`,
        ],
        mayChange: ['packages/{money,cart,invoice,mail}/index.mjs'],
        behaviours: [runs(/npm (run )?test|npm t\b|node --test/)],
        check: async (result) => {
          await result.node(`import assert from 'node:assert/strict';
import * as money from './packages/money/index.mjs';
import { print } from './packages/legacy/index.mjs';
assert.equal(money.formatMoney(250, 'XYZ'), '2.50 XYZ');
assert.throws(() => money.formatMoney(1), TypeError);
assert.ok(!('format' in money), 'the old name is still there');
assert.equal(print(12), '12');
for (const name of ${JSON.stringify(users)}) {
  const module = await import(process.cwd() + '/packages/' + name + '/index.mjs');
  assert.equal(module[name](150), name + ': 1.50 ${currency}');
}`);
        },
        solution: [
          {
            turns: [
              [{ name: 'grep_search', args: { pattern: 'format\\(' } }, read('packages/money/index.mjs')],
              users.map((name) => read(`packages/${name}/index.mjs`)),
              [
                write(
                  'packages/money/index.mjs',
                  "export function formatMoney(cents, currency) {\n  if (typeof currency !== 'string') throw new TypeError('A currency is required.');\n  return `${(cents / 100).toFixed(2)} ${currency}`;\n}\n",
                ),
                ...users.flatMap((name) => [
                  edit(`packages/${name}/index.mjs`, '{ format }', '{ formatMoney }'),
                  edit(`packages/${name}/index.mjs`, 'format(cents)', `formatMoney(cents, '${currency}')`),
                ]),
              ],
              [run('npm test')],
            ],
            answer:
              'formatMoney requires a currency, and cart, invoice and mail pass it. legacy has its own format, which I left alone. The tests pass.',
          },
        ],
      };
    },
  },
  {
    id: 'monorepo-wrong-package',
    language: 'TypeScript',
    kind: 'monorepo',
    level: 2,
    make: (vary) => {
      const digits = vary.int(4, 8);
      const slug = (strip: boolean): string =>
        `export function slug(title) {\n  return title.toLowerCase()${strip ? ".replace(/[^a-z0-9]+/g, '-')" : ".replaceAll(' ', '-')"};\n}\n`;
      return {
        files: {
          'package.json': '{ "private": true, "type": "module", "workspaces": ["packages/*"] }\n',
          'packages/text/package.json': PACKAGE('text'),
          'packages/text/index.mjs': slug(true),
          'packages/blog/package.json': PACKAGE('blog'),
          'packages/blog/index.mjs':
            "import { slug } from './vendor/text.mjs';\n\nexport const url = (title) => `/blog/${slug(title)}`;\n",
          'packages/blog/vendor/text.mjs': slug(false),
          'packages/shop/package.json': PACKAGE('shop'),
          'packages/shop/index.mjs': `import { slug } from '../text/index.mjs';\n\nexport const url = (title, id) => \`/shop/\${slug(title)}-\${String(id).padStart(${digits}, '0')}\`;\n`,
        },
        prompts: [
          'Addresses of blog posts contain "?" and "!" from titles, those of the shop do not. Make the blog behave like the shop. There should be one slug function in the end, not two.',
        ],
        mayChange: ['packages/blog/**'],
        check: async (result) => {
          await result.node(`import assert from 'node:assert/strict';
import { url } from './packages/blog/index.mjs';
import { url as shop } from './packages/shop/index.mjs';
assert.equal(url('What now?! Yes'), '/blog/what-now-yes');
assert.equal(shop('A b', 7), '/shop/a-b-${'7'.padStart(digits, '0')}');`);
          await result.bash('test "$(grep -rl \'function slug\' packages | wc -l)" -eq 1');
        },
        solution: [
          solve(
            [edit('packages/blog/index.mjs', "'./vendor/text.mjs'", "'../text/index.mjs'")],
            ['rm -r packages/blog/vendor'],
            'The blog had an old copy of slug in vendor/. It uses the shared one now, and the copy is gone.',
          ),
        ],
      };
    },
  },
];
