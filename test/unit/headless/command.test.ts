import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { HELP } from '../../../extension/headless/help.ts';
import { findSandbox } from '../../../extension/sandbox/sandbox-support.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { assertGolden } from '../../support/golden.ts';
import { eventsOf } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';

describe('the command line', () => {
  const endpoint = useGemini();

  it('says in its help what it takes', () => {
    assertGolden(HELP, 'headless-help.txt');
  });

  it('ends with 52 where commands must be confined and cannot be, and nowhere else', async () => {
    const support = await findSandbox();
    const { code, stderr } = await commandInProcess(['-m', 'guide', '--sandbox', 'required', 'Hi']);
    if ('tool' in support) assert.equal(code, 0, stderr);
    else {
      assert.equal(code, 52);
      assert.ok(stderr.includes(support.missing), stderr);
    }
  });

  it('ends with 52 where headers of telemetry would be sent in the clear, before anything is sent', async () => {
    const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=hunter22' };
    const args = ['-m', 'guide', '--otlp', 'http://collector.invalid:4318', 'Hi'];
    const { code, stdout, stderr } = await commandInProcess(args, { environment });
    assert.deepEqual([code, stdout], [52, '']);
    assert.match(
      stderr,
      /^Telemetry cannot be sent there.*--otlp is not https, so the headers would be sent unencrypted/,
    );
    assert.doesNotMatch(stderr, /hunter22/);
  });

  describe('without a model', () => {
    it('ends with 41 and says what to do', async () => {
      const { code, stdout, stderr } = await commandInProcess(['-p', 'Hi']);
      assert.deepEqual([code, stdout], [41, '']);
      assert.match(stderr, /^No model is configured.*GEMINI_API_KEY.*--model guide/);
    });

    it('lets the guide answer whoever asks for it', async () => {
      const { code, stdout, stderr } = await commandInProcess(['-m', 'guide', 'Hi']);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /not an AI/);
    });

    it('lets it answer although there is a key', async () => {
      const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint().url };
      const { code, stdout } = await commandInProcess(['-m', 'guide', 'Hi'], { environment });
      assert.equal(code, 0);
      assert.match(stdout, /not an AI/);
    });
  });

  describe('prints JSON for', () => {
    const cases: readonly { name: string; args: readonly string[]; code: number; kind: string; says: RegExp }[] = [
      { name: 'a flag that is none', args: ['--colour'], code: 42, kind: 'bad-input', says: /--colour is not a flag/ },
      { name: 'a bad value', args: ['--max-turns', 'x'], code: 42, kind: 'bad-input', says: /--max-turns "x"/ },
      { name: 'no prompt', args: [], code: 42, kind: 'bad-input', says: /no prompt/ },
      { name: 'no model', args: ['-p', 'Hi'], code: 41, kind: 'no-credential', says: /No model/ },
      {
        name: 'a folder that is not there',
        args: ['-p', 'Hi', '--workspace', '/no/such'],
        code: 42,
        kind: 'bad-input',
        says: /\/no\/such/,
      },
      {
        name: 'a folder that is not there, when listing',
        args: ['--list-sessions', '--workspace', '/no/such'],
        code: 42,
        kind: 'bad-input',
        says: /\/no\/such/,
      },
      {
        name: 'a session that is not there',
        args: ['-r', 'none', '-m', 'guide'],
        code: 42,
        kind: 'bad-input',
        says: /none/,
      },
    ];
    for (const { name, args, code, kind, says } of cases) {
      it(name, async () => {
        const asJson = await commandInProcess([...args, '--output-format', 'json']);
        const { error, exitReason, response } = JSON.parse(asJson.stdout);
        assert.deepEqual([asJson.code, error.kind, exitReason, response], [code, kind, 'failed', '']);
        assert.match(error.message, says);
        assert.match(asJson.stderr, says);

        const asStream = await commandInProcess([...args, '-o', 'stream-json']);
        assert.deepEqual([asStream.code, eventsOf(asStream.stdout).map(({ type }) => type)], [code, ['error']]);

        const asText = await commandInProcess(args);
        assert.deepEqual([asText.code, asText.stdout], [code, '']);
        assert.match(asText.stderr, says);
      });
    }
  });
});
