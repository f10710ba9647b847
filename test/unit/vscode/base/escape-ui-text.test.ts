import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutIcons, withoutLinks } from '../../../../extension/vscode/base/escape-ui-text.ts';

/** As VS Code finds links in a notification (vs/base/common/linkedText). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('withoutLinks', () => {
  it('leaves no link for VS Code to find', () => {
    for (const text of ['[Undo](command:workbench.action.quit)', '“[x](https://evil.example "t")” deleted.']) {
      assert.match(text, LINK);
      assert.doesNotMatch(withoutLinks(text), LINK);
    }
  });

  it('leaves other text as it is', () => {
    assert.equal(withoutLinks('Fix list[0] (again)'), 'Fix list[0] (again)');
  });
});

describe('withoutIcons', () => {
  it('escapes what VS Code would draw as an icon', () => {
    assert.equal(withoutIcons('$(pinned) costs $5 (or so)'), '\\$(pinned) costs $5 (or so)');
  });
});
