import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sandboxRows } from '../../../../extension/vscode/consent/sandbox-texts.ts';

describe('What /permissions says of commands', () => {
  const settings = { autoAllow: false, folders: ['/cache'], network: [] };
  const session = { folders: ['/data'], hosts: ['example.com'] };
  const support = { tool: { kind: 'bubblewrap', file: '/usr/bin/bwrap', resetsSignals: true } } as const;
  const textOf = (rules: Parameters<typeof sandboxRows>[0]): string =>
    sandboxRows(rules)
      .map(({ name, value }) => `${name}: ${value}`)
      .join('\n');

  it('is by what they are confined, and what is open to them, from where', () => {
    assert.equal(
      textOf({ support, settings, roots: ['/ws'], session }),
      [
        'Commands: confined by bubblewrap',
        'They can change: /ws, /cache, /data (in this session), except protected files',
        'They can reach: example.com (in this session)',
        'Without asking: only what the rules allow ("gantry.sandbox.autoAllow" is off)',
      ].join('\n'),
    );
    const none = { folders: [], hosts: [] };
    const text = textOf({ support, settings: { ...settings, autoAllow: true }, roots: ['/ws'], session: none });
    assert.match(
      text,
      /They can reach: no host\nWithout asking: commands in the sandbox, unless a rule says otherwise$/,
    );
  });

  it('is why they are not, where they are not', () => {
    assert.match(
      textOf({ support: { missing: 'Install it.' }, settings, roots: [], session }),
      /^.*not confined\. Install it\.$/,
    );
    assert.match(textOf({ support: undefined, settings, roots: [], session }), /^.*"gantry\.sandbox\.mode" is "off"$/);
  });
});
