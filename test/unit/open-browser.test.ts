import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { browserProgram } from '../support/open-browser.ts';

describe('npm start', () => {
  const CASES: readonly (readonly [NodeJS.Platform, NodeJS.ProcessEnv, readonly string[], string | undefined])[] = [
    ['linux', { DISPLAY: ':0' }, [], 'xdg-open'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, [], 'xdg-open'],
    ['linux', {}, [], undefined],
    ['linux', { DISPLAY: '' }, [], undefined],
    ['linux', { DISPLAY: ':0', CI: 'true' }, [], undefined],
    ['linux', { DISPLAY: ':0', BROWSER: 'none' }, [], undefined],
    ['linux', { DISPLAY: ':0', BROWSER: 'firefox' }, [], 'xdg-open'],
    ['linux', { DISPLAY: ':0' }, ['--no-open'], undefined],
    ['darwin', {}, [], 'open'],
    ['darwin', { CI: '1' }, [], undefined],
    ['win32', {}, [], 'cmd'],
    ['win32', {}, ['--no-open'], undefined],
  ];

  it('opens a browser where there is one, and where it may', () => {
    for (const [platform, env, args, program] of CASES)
      assert.equal(browserProgram(platform, env, args)?.[0], program, JSON.stringify([platform, env, args]));
  });
});
