import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { editorLanguage } from '../../../../extension/vscode/code/fence-language.ts';
import { placed } from '../../../../extension/vscode/code/placed-code.ts';

const FILE = [
  'import a;',
  '',
  'class B {',
  '  one() {',
  '    return 1;',
  '  }',
  '',
  '  two() {',
  '    return 2;',
  '  }',
  '}',
  '',
].join('\n');

describe('Code that is applied to a file', () => {
  it('is the whole of a file that is empty or new', () => {
    assert.equal(placed('a', '', undefined), 'a\n');
    assert.equal(placed('a\n', ' \n', undefined), 'a\n');
  });

  it('takes the place of the lines that begin and end as it does, as deep as they stand', () => {
    const part = 'one() {\n  log();\n  return 1;\n}';
    assert.equal(placed(part, FILE, undefined), FILE.replace('    return 1;', '    log();\n    return 1;'));
  });

  it('takes the place of what is selected when it is found nowhere', () => {
    assert.equal(
      placed('three() {}', FILE, { start: 7, end: 10 }),
      FILE.replace(/ {2}two[\s\S]*? {2}\}\n/, '  three() {}\n'),
    );
  });

  it('is a new version of the file when nothing says which part it is of', () => {
    assert.equal(placed('entirely\nother', FILE, undefined), 'entirely\nother\n');
  });

  it('keeps the line ends of the file', () => {
    const dos = FILE.replaceAll('\n', '\r\n');
    const text = placed('two() {\n  return 3;\n  return 2;\n}', dos, undefined);
    assert.equal(text, dos.replace('    return 2;', '    return 3;\r\n    return 2;'));
  });
});

describe('Code in an editor of its own', () => {
  it('has the language of its fence, when VS Code knows it', () => {
    const known = ['typescript', 'shellscript', 'elm'];
    const expected = {
      ts: 'typescript',
      Bash: 'shellscript',
      elm: 'elm',
      nonsense: 'plaintext',
      constructor: 'plaintext',
    };
    for (const [fence, language] of Object.entries(expected)) assert.equal(editorLanguage(fence, known), language);
  });
});
