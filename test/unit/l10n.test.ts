import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { getL10nJson } from '@vscode/l10n-dev';
import { after, before, describe, it } from 'mocha';
import type { Node } from 'web-tree-sitter';
import { decisionButtons } from '../../extension/protocol/agent/decisions.ts';
import { textLocale } from '../../extension/protocol/words/numbers.ts';
import german from '../../l10n/bundle.l10n.de.json' with { type: 'json' };
import english from '../../l10n/bundle.l10n.json' with { type: 'json' };
import { sourcesIn, typeScriptParser } from '../support/source/typescript.ts';

const translations: Readonly<Record<string, string>> = german;
const sources = ['extension', 'webview'].flatMap(sourcesIn).filter(({ text }) => text.includes('l10n.t('));

describe('The texts in the code', function () {
  this.timeout(120_000);
  let exported: Awaited<ReturnType<typeof getL10nJson>>;
  let calls: readonly { readonly path: string; readonly call: Node }[];

  before(async () => {
    const parser = await typeScriptParser();
    calls = sources.flatMap(({ path, text }) => {
      const root = parser.parse(text)?.rootNode;
      return root ? translated(root).map((call) => ({ path, call })) : [];
    });
    // As one file: each costs it a fifth of a second.
    const contents = ["import * as l10n from '@vscode/l10n';", ...calls.map(({ call }) => `${call.text};`)].join('\n');
    exported = await getL10nJson([{ extension: '.ts', contents }]);
  });

  it('are those of l10n/bundle.l10n.json: run "npm run l10n" after a change', () => {
    assert.ok(calls.length > 1000);
    assert.deepEqual(Object.keys(exported).sort(), Object.keys(english).sort());
  });

  it('are written out, so that they can be found', () => {
    const hidden = calls.filter(({ call }) => {
      const first = call.childForFieldName('arguments')?.namedChildren[0];
      return !first || !(first.type === 'object' || (first.type === 'string' && isExported(first.text)));
    });
    assert.deepEqual(hidden.map(told), []);
  });

  it('are read when they are shown, never when a module is loaded: the language is not known by then', () => {
    assert.deepEqual(calls.filter(({ call }) => !isDeferred(call)).map(told), []);
  });

  function isExported(literal: string): boolean {
    const text: unknown = JSON.parse(
      `"${literal
        .slice(1, -1)
        .replaceAll("\\'", "'")
        .replace(/(?<!\\)"/g, '\\"')}"`,
    );
    return typeof text === 'string' && Object.hasOwn(exported, text);
  }
});

describe('The German translation', () => {
  it('has every text, and none that is gone', () => {
    assert.deepEqual(Object.keys(translations).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(translations)) assert.match(text, /\S/, key);
  });

  it('puts the same into each text', () => {
    const places = (text: string): string[] => (text.match(/\{\d+\}/g) ?? []).sort();
    for (const [key, message] of Object.entries(english)) {
      const text = typeof message === 'string' ? message : (message as { readonly message: string }).message;
      assert.deepEqual(places(translations[key] ?? ''), places(text), key);
    }
  });

  it('names commands and keys as the texts do', () => {
    const names = (text: string): string[] =>
      (text.match(/`[^`]*`|\bgantry\.[\w.]+|(?<=^|\s)\/[a-z]+\b/g) ?? []).sort();
    for (const [key, text] of Object.entries(translations)) assert.deepEqual(names(text), names(key), key);
  });

  describe('once it is in use', () => {
    before(() => l10n.config({ contents: translations }));
    after(() => l10n.config({ contents: {} }));

    it('is what people read', () => {
      assert.equal(decisionButtons(['once']).primary?.label, 'Einmal erlauben');
      assert.equal(new Intl.NumberFormat(textLocale()).format(1000), '1.000');
    });
  });
});

function translated(root: Node): Node[] {
  return root
    .descendantsOfType('call_expression')
    .filter((call): call is Node => call?.childForFieldName('function')?.text === 'l10n.t');
}

const FUNCTIONS = new Set(['arrow_function', 'function', 'function_declaration', 'method_definition']);

function isDeferred(call: Node): boolean {
  for (let node: Node | null = call; node; node = node.parent) {
    if (FUNCTIONS.has(node.type)) return true;
    // A field is filled when an object is made; one of the class itself is not.
    if (node.type === 'public_field_definition') return !node.children.some((child) => child?.type === 'static');
  }
  return false;
}

function told({ path, call }: { readonly path: string; readonly call: Node }): string {
  return `${path}:${call.startPosition.row + 1}`;
}
