import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fenceInfo } from '../../../webview/markdown/fence-info.ts';

describe('What follows a fence', () => {
  const cases: readonly [string, { language: string; path?: string }][] = [
    ['', { language: '' }],
    ['ts', { language: 'ts' }],
    ['ts src/a.ts', { language: 'ts', path: 'src/a.ts' }],
    ['ts title="src/a.ts" {1,3}', { language: 'ts', path: 'src/a.ts' }],
    ['ts:src/a.ts', { language: 'ts', path: 'src/a.ts' }],
    ['src/a.ts', { language: 'ts', path: 'src/a.ts' }],
    ['js showLineNumbers {1-3}', { language: 'js' }],
    ['c++', { language: 'c++' }],
    ['objective-c', { language: 'objective-c' }],
    ['ts file=https://example.com/a.ts', { language: 'ts' }],
    ['ts javascript:alert(1)', { language: 'ts' }],
    ['ts \\\\host\\share.ts', { language: 'ts' }],
  ];
  for (const [info, expected] of cases) it(`"${info}"`, () => assert.deepEqual(fenceInfo(info), expected));
});
