import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'smol-toml';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ConfigDocument } from '../../../extension/language-server/config-document.ts';
import { policyCompletions } from '../../../extension/language-server/policy/policy-completion.ts';
import { readStartOptions } from '../../../extension/language-server/start-options.ts';
import { Workspace } from '../../../extension/language-server/workspace.ts';

/** What is already there behind the equals sign. */
const LISTS = [
  '',
  ' ',
  ' [',
  ' [ ',
  ' ["',
  " ['",
  ' ["pl',
  ' pl',
  ' ["plan",',
  ' ["plan", ',
  ' ["plan" ',
  ' ["plan", "',
  ' ["plan", "d',
];
const TEXTS = ['', ' ', ' "', " '", ' "a', " 'a", ' a', '  "al'];
const PLAIN = ['', ' ', ' t', ' 1'];

describe('What is proposed in half-typed text', () => {
  const workspace = new Workspace(
    readStartOptions({ processId: null, rootUri: null, capabilities: {}, initializationOptions: { trusted: false } }),
    { textOf: () => undefined, lensesChanged: () => undefined },
  );
  const cases: readonly (readonly [
    key: string,
    starts: readonly string[],
    isIn: (value: unknown, label: string) => boolean,
  ])[] = [
    ['decision', TEXTS, (value, label) => value === label],
    ['toolName', TEXTS, (value, label) => value === label],
    ['subagent', TEXTS, (value, label) => value === label],
    ['modes', LISTS, (value, label) => Array.isArray(value) && value.at(-1) === label],
    ['toolName', LISTS.filter((start) => start.includes('[')), (value, label) => [value].flat().at(-1) === label],
    ['interactive', PLAIN, (value, label) => String(value) === label],
    ['priority', PLAIN, (value, label) => String(value) === label],
  ];
  for (const [key, starts, isIn] of cases) {
    it(`makes "${key}" whole, with the quotes, commas and brackets that are missing`, async () => {
      let shown = 0;
      for (const start of starts) {
        for (const rest of [
          '',
          '\n',
          ' # why\n',
          '\npriorities = 1\n\n[[rule]]\ntoolName = "x"\n',
          '\r\n[[rule]]\r\n',
        ]) {
          const before = `[[rule]]\n${key} =${start}`;
          const file = new ConfigDocument(TextDocument.create('file:///w/x.toml', '', 1, before + rest), '/w/x.toml');
          const items = await policyCompletions(file, before.length, 'user', workspace);
          assert.ok(items.length > 0, before);
          for (const { label, textEdit, filterText = label } of items) {
            assert.ok(textEdit && 'range' in textEdit);
            const typed = file.text.slice(file.offsetAt(textEdit.range.start), before.length);
            // Clients show only proposals whose text begins with, or contains, what is typed.
            if (!filterText.includes(typed)) continue;
            shown++;
            const made = TextDocument.applyEdits(file.document, [textEdit]);
            const value: unknown = ruleOf(made)[key];
            assert.ok(isIn(value, label), `${JSON.stringify(before)} + ${label}: ${JSON.stringify(made)}`);
          }
        }
      }
      assert.ok(shown >= 5 * starts.length, `${shown}`);
    });
  }
});

function ruleOf(text: string): Readonly<Record<string, unknown>> {
  const { rule } = parse(text.replaceAll('\r\n', '\n'));
  const [first] = Array.isArray(rule) ? rule : [];
  assert.ok(typeof first === 'object' && !Array.isArray(first) && first !== null);
  return Object.fromEntries(Object.entries(first));
}
