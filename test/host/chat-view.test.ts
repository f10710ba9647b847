import assert from 'node:assert/strict';
import { type TestHost, testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';

describe('The chat view', () => {
  let host: TestHost;
  let window: PanelWindow;

  beforeEach(() => {
    host = testHost();
    window = new PanelWindow(host, new Map());
  });
  afterEach(() => window.close());

  it('posts nothing before the webview has said that it is ready', async () => {
    await window.chat.postState();
    assert.deepEqual(window.end.posted, []);
    window.end.say({ type: 'ready' });
    const { state } = await window.end.waitFor('state');
    assert.equal(state.offline, true);
    assert.equal(state.readOnly, false);
    await window.end.waitFor('transcript');
  });

  it('posts nothing to a view that was hidden until its new page is ready', async () => {
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
    window.end.hide();
    window.end.posted.length = 0;
    await window.chat.postState();
    assert.deepEqual(window.end.posted, []);
  });

  it('ignores messages of the wrong shape, writes that to the log, and continues', async () => {
    const wrong = [
      undefined,
      null,
      7,
      'ready',
      [],
      {},
      { type: 'run', command: 'rm' },
      { type: 'send', ref: 1, text: 7 },
    ];
    for (const message of wrong) window.end.say(message);
    const complaints = (): number => host.complaints.filter((line) => line.includes('wrong shape')).length;
    await window.end.waitUntil(() => complaints() === wrong.length);
    window.end.say({ type: 'ready' });
    await window.end.waitFor('state');
  });

  it('gives a message that is too long back with the reason', async () => {
    window.end.say({ type: 'ready' });
    window.end.say({ type: 'send', ref: 5, text: 'x'.repeat(5_000_000) });
    const answer = await window.end.waitFor('sent');
    assert.equal(answer.ref, 5);
    assert.match(answer.refused?.title ?? '', /too long/);
  });

  it('has a content security policy that allows nothing from elsewhere', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(window.end.view.webview.html)?.[1] ?? '';
    assert.equal(
      policy.replace(/nonce-[\w-]+/, 'nonce-…'),
      [
        "default-src 'none'",
        'img-src https://csp.test data:',
        'font-src https://csp.test',
        "style-src https://csp.test 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
        "script-src 'nonce-…'",
        "form-action 'none'",
        "base-uri 'none'",
      ].join('; '),
    );
  });
});
