import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { elsewherePage, type PanelPlace, panelPage } from '../../../../extension/vscode/page/panel-page.ts';
import { repoRoot } from '../../../support/repo.ts';

const PLACE: PanelPlace = {
  cspSource: 'https://panel.example',
  nonce: 'NONCE',
  language: { tag: 'en' },
  asset: (name) => `https://panel.example/${name}`,
};

const golden = (name: string): string => readFileSync(join(repoRoot, 'test/fixtures/pages', name), 'utf8');

describe('The page of the panel', () => {
  it('is as test/fixtures/pages/panel.html has it, with its policy', () => {
    assert.equal(`${panelPage(PLACE)}\n`, golden('panel.html'));
  });

  it('has the same policy where it only says that the chat is elsewhere', () => {
    assert.equal(`${elsewherePage(PLACE)}\n`, golden('elsewhere.html'));
    assert.equal(policyOf(elsewherePage(PLACE)), policyOf(panelPage(PLACE)));
  });

  it('carries what another page saved, and lets no text of it out', () => {
    const saved = JSON.stringify({ draft: '</script><script>alert(1)</script><!--' });
    const page = panelPage(PLACE, saved);
    assert.equal(page.match(/<script/g)?.length, 2);
    const [, data = ''] = /<script type="application\/json" id="gantry-carried-view">(.*)<\/script>/.exec(page) ?? [];
    assert.deepEqual(JSON.parse(data), JSON.parse(saved));
  });

  it('has its texts in the language of the editor, and lets none of them out', () => {
    const texts = { Send: 'Senden', Hostile: '</script><script>alert(1)</script><!--\u2028' };
    const page = panelPage({ ...PLACE, language: { tag: 'pt-br', texts } });
    assert.match(page, /<html lang="pt-BR" dir="ltr">/);
    assert.equal(page.match(/<script/g)?.length, 2);
    const [, data = ''] = /<script type="application\/json" id="gantry-texts">(.*)<\/script>/.exec(page) ?? [];
    assert.deepEqual(JSON.parse(data), texts);
    assert.ok(page.indexOf('gantry-texts') < page.indexOf('main.js'));
    assert.equal(policyOf(page), policyOf(panelPage(PLACE)));
  });

  it('is English where the language has no name that a page could have, or no texts', () => {
    for (const tag of ['', '"><script>', 'de_DE', '../..']) {
      assert.match(panelPage({ ...PLACE, language: { tag, texts: {} } }), /<html lang="en" dir="ltr">/);
    }
    assert.match(panelPage({ ...PLACE, language: { tag: 'fr' } }), /<html lang="en" dir="ltr">/);
  });

  it('goes from right to left where its language does', () => {
    for (const tag of ['ar', 'he', 'fa-IR', 'ur']) {
      assert.match(panelPage({ ...PLACE, language: { tag } }), / dir="rtl">/, tag);
    }
    assert.match(panelPage({ ...PLACE, language: { tag: 'arn' } }), / dir="ltr">/);
  });

  it('lets nothing in that is not ours', () => {
    const policy = policyOf(panelPage(PLACE));
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe|https:(?!\/\/panel\.example)|http:|connect-src|frame-src|\*/);
  });
});

function policyOf(page: string): string {
  return /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
}
