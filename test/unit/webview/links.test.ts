import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classifyLink } from '../../../webview/markdown/links.ts';

const FILES: readonly [string, string, number?][] = [
  ['src/app.ts', 'src/app.ts'],
  ['./src/app.ts', './src/app.ts'],
  ['../other/b.ts:7:3', '../other/b.ts', 7],
  ['retry.ts:41', 'retry.ts', 41],
  ['retry.ts:41-60', 'retry.ts', 41],
  ['src/app.ts#L12', 'src/app.ts', 12],
  ['src/app.ts#L12-L20', 'src/app.ts', 12],
  ['Makefile#L3', 'Makefile', 3],
  ['my%20file.md', 'my file.md'],
  ['100%.md', '100%.md'],
  ['/work/a.ts', '/work/a.ts'],
  ['file:///work/a%20b.ts#L2', '/work/a b.ts', 2],
  ['file:///C:/work/a.ts', 'C:/work/a.ts'],
  ['C:\\work\\a.ts:9', 'C:\\work\\a.ts', 9],
];

const WEB = ['https://example.com/a?b=c#d', 'http://localhost:3000', 'HTTPS://EXAMPLE.COM', 'mailto:a@example.com'];

const INERT = [
  '',
  ' ',
  '#section',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'javascript:1',
  'java\nscript:alert(1)',
  'java%73cript:alert(1)',
  'command:workbench.action.quit',
  'vscode://file/etc/passwd',
  'data:text/html,<script>1</script>',
  'tel:123',
  'https://',
  '//host/share',
  '\\\\host\\share',
  '%5C%5Chost%5Cshare',
  'file://host/share/a.ts',
  'src/a.ts%00.png',
];

describe('A link in an answer', () => {
  for (const [href, path, line] of FILES) {
    it(`opens a file: ${href}`, () => {
      assert.deepEqual(classifyLink(href), line === undefined ? { kind: 'file', path } : { kind: 'file', path, line });
    });
  }

  for (const href of WEB) {
    it(`asks before it opens the web: ${href}`, () => {
      assert.deepEqual(classifyLink(href), { kind: 'web', url: href });
    });
  }

  for (const href of INERT) {
    it(`leads nowhere: ${JSON.stringify(href)}`, () => {
      assert.deepEqual(classifyLink(href), { kind: 'inert' });
    });
  }
});
