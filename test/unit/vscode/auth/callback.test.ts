import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'mocha';
import {
  type LoopbackCallback,
  listenForCallback,
  loopbackPlace,
  readCallback,
} from '../../../../extension/vscode/auth/callback.ts';
import { freePort } from '../../../support/web-server.ts';

const never = new AbortController().signal;

describe('the way back from the browser', () => {
  async function withCallback(run: (callback: LoopbackCallback) => Promise<void>, signal = never): Promise<void> {
    const callback = await listenForCallback(() => 'the-state', signal);
    callback.answer.catch(() => undefined);
    try {
      await run(callback);
    } finally {
      callback.close();
    }
  }

  it('is a port of this machine that takes one answer and closes', () =>
    withCallback(async ({ url, answer }) => {
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
      const page = await fetch(`${url}?state=the-state&code=4%2F0Ab%2Bc`);
      assert.equal(page.status, 200);
      assert.match(await page.text(), /return to VS Code/);
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      assert.deepEqual(await answer, { code: '4/0Ab+c' });
      await assert.rejects(fetch(`${url}?state=the-state&code=again`));
    }));

  it('tells that the user said no', () =>
    withCallback(async ({ url, answer }) => {
      await fetch(`${url}?state=the-state&error=access_denied`);
      assert.deepEqual(await answer, { error: 'access_denied' });
    }));

  it('turns away what does not know the state, and continues waiting', () =>
    withCallback(async ({ url, answer }) => {
      for (const wrong of [
        '',
        '?code=x',
        '?state=guess&code=x',
        '?state=the-state',
        'favicon.ico?state=the-state&code=x',
      ]) {
        const page = await fetch(`${url}${wrong}`);
        assert.equal(page.status, 400);
        assert.doesNotMatch(await page.text(), /code|state|guess/);
      }
      assert.equal((await fetch(`${url}?state=the-state&code=x`, { method: 'POST' })).status, 400);
      await fetch(`${url}?state=the-state&code=right`);
      assert.deepEqual(await answer, { code: 'right' });
    }));

  it('turns away a page that calls this machine by another name', () =>
    withCallback(async ({ url }) => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { host: 'evil.example' };
        request(`${url}?state=the-state&code=x`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
      assert.equal(status, 400);
    }));

  it('may be the one address that a client is registered with, while nothing else listens there', async () => {
    const place = loopbackPlace(`http://localhost:${await freePort()}/oauth/callback`) ?? assert.fail('no place');
    const { url, answer, close } = await listenForCallback(() => 'the-state', never, place);
    try {
      await assert.rejects(
        listenForCallback(() => 'the-state', never, place),
        /EADDRINUSE/,
      );
      const other = await fetch(`${url}?state=the-state&code=x`);
      const otherName = await fetch(`${url}oauth/callback?state=the-state&code=x`);
      assert.deepEqual([other.status, otherName.status], [400, 400]);
      await fetch(`http://localhost:${place.port}${place.path}?state=the-state&code=right`);
      assert.deepEqual(await answer, { code: 'right' });
    } finally {
      close();
    }
  });

  for (const address of [
    'https://127.0.0.1:7777/',
    'http://agents.example:7777/',
    'http://127.0.0.1/',
    'http://user@localhost:7777/',
    'http://localhost:7777/?to=x',
    'gantry://signed-in',
  ]) {
    it(`is never ${address}`, () => assert.equal(loopbackPlace(address), undefined));
  }

  it('is closed when nobody wants to sign in any more', async () => {
    const leaving = new AbortController();
    await withCallback(async ({ url, answer }) => {
      const reason = new Error('cancelled');
      leaving.abort(reason);
      await assert.rejects(answer, reason);
      await assert.rejects(fetch(`${url}?state=the-state&code=x`));
    }, leaving.signal);
  });

  it('may be a link into VS Code', () => {
    assert.deepEqual(readCallback('code=4/0Ab&state=s', 's'), { code: '4/0Ab' });
    assert.equal(readCallback('code=4/0Ab&state=other', 's'), undefined);
  });

  it('is none as long as no page was opened', () => {
    for (const state of [undefined, '']) {
      for (const query of ['code=1&state=', 'code=1', 'code=1&state=undefined'])
        assert.equal(readCallback(query, state), undefined);
    }
  });
});
