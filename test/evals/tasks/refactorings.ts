import { edit, solve, type Task, write } from '../task.ts';
import { ASSERT, TYPESCRIPT_PACKAGES, TYPESCRIPT_PROJECT, testFile } from './typescript-project.ts';

export const REFACTORING_TASKS: readonly Task[] = [
  {
    id: 'ts-any-to-union',
    language: 'TypeScript',
    kind: 'refactoring',
    level: 2,
    make: () => ({
      files: {
        ...TYPESCRIPT_PROJECT,
        'src/shapes.ts': `export function area(shape: any): number {
  switch (shape.kind) {
    case 'circle':
      return Math.PI * shape.radius ** 2;
    case 'rectangle':
      return shape.width * shape.height;
    default:
      return 0;
  }
}

export function total(shapes: any[]): number {
  return shapes.reduce((sum, shape) => sum + area(shape), 0);
}
`,
        'src/floor.ts': `import { total } from './shapes.ts';

export const floor = (): number => total([
  { kind: 'rectangle', width: 3, height: 4 },
  { kind: 'circle', radius: 1 },
]);
`,
        'test/shapes.test.ts': testFile(
          "import { area } from '../src/shapes.ts';",
          "test('a rectangle', () => assert.equal(area({ kind: 'rectangle', width: 2, height: 5 }), 10));\n",
        ),
      },
      packages: TYPESCRIPT_PACKAGES,
      prompts: [
        'Replace every `any` in src/shapes.ts by a discriminated union type named Shape that the file exports. `npm run types` must report a missing field, and an unhandled kind if somebody adds one to the union. Behaviour stays as it is for the known kinds.',
      ],
      mayChange: ['src/shapes.ts', 'src/floor.ts', 'test/shapes.test.ts'],
      check: async (result) => {
        const source = await result.read('src/shapes.ts');
        if (/\bany\b/.test(source) || /\bas unknown\b/.test(source))
          throw new Error('src/shapes.ts still evades types.');
        await result.typescript(`${ASSERT}import { floor } from './src/floor.ts';
assert.ok(Math.abs(floor() - (12 + Math.PI)) < 1e-9);`);
        await result.bash('npm run --silent types');
        const wrong = `import { area, type Shape } from './src/shapes.ts';
const good: Shape = { kind: 'circle', radius: 2 };
area(good);
// @ts-expect-error a field is missing
area({ kind: 'circle' });
// @ts-expect-error an unknown kind
area({ kind: 'star', points: 5 });
`;
        await result.bash(`d=$(mktemp -d); cp -R src tsconfig.json "$d"; ln -s "$PWD/node_modules" "$d/node_modules"
cat > "$d/src/probe.ts" <<'PROBE'
${wrong.replaceAll('./src/', './')}PROBE
(cd "$d" && node node_modules/typescript/bin/tsc --noEmit) && rm "$d/src/probe.ts"
# A third kind that nobody handles must be an error.
sed -E -i.bak "s/(kind: 'circle')/kind: 'dot' } | { \\1/" "$d/src/shapes.ts"
if cmp -s "$d/src/shapes.ts" src/shapes.ts; then sed -E -i.bak "s/(kind: \\"circle\\")/kind: 'dot' } | { \\1/" "$d/src/shapes.ts"; fi
if (cd "$d" && node node_modules/typescript/bin/tsc --noEmit >/dev/null); then rm -r "$d"; echo 'an unhandled kind goes unnoticed'; exit 1; fi
rm -r "$d"`);
      },
      solution: [
        solve(
          [
            edit(
              'src/shapes.ts',
              'export function area(shape: any): number {',
              "export type Shape = { kind: 'circle'; radius: number } | { kind: 'rectangle'; width: number; height: number };\n\nexport function area(shape: Shape): number {",
            ),
            edit(
              'src/shapes.ts',
              '    default:\n      return 0;\n  }\n',
              '    default:\n      return unknownShape(shape);\n  }\n',
            ),
            edit(
              'src/shapes.ts',
              'export function total(shapes: any[]): number {\n  return shapes.reduce((sum, shape) => sum + area(shape), 0);',
              'function unknownShape(_shape: never): number {\n  return 0;\n}\n\nexport function total(shapes: readonly Shape[]): number {\n  return shapes.reduce((sum, shape) => sum + area(shape), 0);',
            ),
          ],
          ['npm run types', 'npm test'],
          'Shape is a union now, and the compiler reports unhandled kinds.',
        ),
      ],
    }),
  },
  {
    id: 'ts-split-module',
    language: 'TypeScript',
    kind: 'refactoring',
    level: 1,
    make: (vary) => {
      const rate = vary.int(5, 25);
      return {
        files: {
          ...TYPESCRIPT_PROJECT,
          'src/order.ts': `export interface Item {
  name: string;
  price: number;
}

const TAX = 0.${String(rate).padStart(2, '0')};

export function withTax(amount: number): number {
  return Math.round(amount * (1 + TAX) * 100) / 100;
}

export function sum(items: readonly Item[]): number {
  return withTax(items.reduce((all, { price }) => all + price, 0));
}
`,
          'src/receipt.ts': `import { type Item, sum, withTax } from './order.ts';

export const receipt = (items: readonly Item[]): string =>
  [...items.map(({ name, price }) => \`\${name} \${withTax(price)}\`), \`total \${sum(items)}\`].join('\\n');
`,
          'test/order.test.ts': testFile(
            "import { sum } from '../src/order.ts';",
            "test('nothing costs nothing', () => assert.equal(sum([]), 0));\n",
          ),
        },
        packages: TYPESCRIPT_PACKAGES,
        prompts: [
          'Move withTax and its rate from src/order.ts to a new file src/tax.ts. order.ts must not export it any more; adapt who uses it.',
        ],
        mayChange: ['src/*.ts', 'test/order.test.ts'],
        check: async (result) => {
          await result.typescript(`${ASSERT}import * as order from './src/order.ts';
import { receipt } from './src/receipt.ts';
import { withTax } from './src/tax.ts';
assert.equal(withTax(100), ${100 + rate});
assert.ok(!('withTax' in order), 'order.ts still exports it');
assert.equal(receipt([{ name: 'a', price: 100 }]), 'a ${100 + rate}\\ntotal ${100 + rate}');`);
          if (/TAX\s*=/.test(await result.read('src/order.ts'))) throw new Error('The rate is still in order.ts.');
        },
        solution: [
          solve(
            [
              write(
                'src/tax.ts',
                `const TAX = 0.${String(rate).padStart(2, '0')};\n\nexport function withTax(amount: number): number {\n  return Math.round(amount * (1 + TAX) * 100) / 100;\n}\n`,
              ),
              edit(
                'src/order.ts',
                `const TAX = 0.${String(rate).padStart(2, '0')};

export function withTax(amount: number): number {
  return Math.round(amount * (1 + TAX) * 100) / 100;
}

`,
                '',
              ),
              edit(
                'src/order.ts',
                'export interface Item {',
                "import { withTax } from './tax.ts';\n\nexport interface Item {",
              ),
              edit(
                'src/receipt.ts',
                "import { type Item, sum, withTax } from './order.ts';",
                "import { type Item, sum } from './order.ts';\nimport { withTax } from './tax.ts';",
              ),
            ],
            ['npm run types', 'npm test'],
            'withTax is in src/tax.ts, and order.ts and receipt.ts import it from there.',
          ),
        ],
      };
    },
  },
];
