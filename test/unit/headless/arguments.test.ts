import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseArguments, type RunArguments } from '../../../extension/headless/arguments.ts';

const nothingGiven: RunArguments = {
  kind: 'run',
  prompt: undefined,
  workspace: undefined,
  output: 'text',
  model: undefined,
  fallback: false,
  maxTurns: undefined,
  approvalMode: undefined,
  sandbox: 'auto',
  sandboxNetwork: [],
  policies: [],
  trust: false,
  otlp: undefined,
  resume: undefined,
  replay: undefined,
  record: undefined,
};

describe('headless arguments', () => {
  const accepted: readonly { readonly args: readonly string[]; readonly run: Partial<RunArguments> }[] = [
    { args: [], run: {} },
    { args: ['-p', 'Hi'], run: { prompt: 'Hi' } },
    { args: ['-pHi'], run: { prompt: 'Hi' } },
    { args: ['--prompt=Hi'], run: { prompt: 'Hi' } },
    { args: ['-p', ''], run: { prompt: '' } },
    { args: ['-p', '- first\n- second'], run: { prompt: '- first\n- second' } },
    { args: ['-p', '--- a/file'], run: { prompt: '--- a/file' } },
    { args: ['--prompt=--help'], run: { prompt: '--help' } },
    { args: ['--replay', 'some file'], run: { replay: 'some file' } },
    { args: ['--record=-odd', '-p', 'Hi'], run: { record: '-odd', prompt: 'Hi' } },
    { args: ['--workspace', 'some dir', '--trust'], run: { workspace: 'some dir', trust: true } },
    { args: ['--output', 'json'], run: { output: 'json' } },
    { args: ['--output=stream-json'], run: { output: 'stream-json' } },
    { args: ['--model', ' gemini-x '], run: { model: 'gemini-x' } },
    { args: ['--max-turns', '5'], run: { maxTurns: 5 } },
    { args: ['--max-turns', '-1'], run: { maxTurns: -1 } },
    { args: ['--max-turns', '0'], run: { maxTurns: 0 } },
    { args: ['--approval-mode', 'autoEdit'], run: { approvalMode: 'autoEdit' } },
    { args: ['--policy', 'a.toml', '--policy=b'], run: { policies: ['a.toml', 'b'] } },
    {
      args: ['--sandbox-network', 'example.com', '--sandbox-network=*.example.org:8443'],
      run: { sandboxNetwork: ['example.com', '*.example.org:8443'] },
    },
    { args: ['--otlp', ' http://localhost:4318 '], run: { otlp: 'http://localhost:4318' } },
    { args: ['--resume', 'latest'], run: { resume: 'latest' } },
    { args: ['--resume=abc', '-p', 'Hi'], run: { resume: 'abc', prompt: 'Hi' } },
    // As in Gemini CLI.
    { args: ['-m', 'gemini-x', '-o', 'json'], run: { model: 'gemini-x', output: 'json' } },
    { args: ['-o=json', '-m=gemini-x'], run: { model: 'gemini-x', output: 'json' } },
    { args: ['-ojson'], run: { output: 'json' } },
    { args: ['--output-format', 'stream-json'], run: { output: 'stream-json' } },
    { args: ['--output-format=json'], run: { output: 'json' } },
    { args: ['--yolo'], run: { approvalMode: 'yolo' } },
    { args: ['-yp', 'Hi'], run: { approvalMode: 'yolo', prompt: 'Hi' } },
    { args: ['--approval-mode', 'auto_edit'], run: { approvalMode: 'autoEdit' } },
    { args: ['--approval-mode=plan'], run: { approvalMode: 'plan' } },
    { args: ['-r', 'latest'], run: { resume: 'latest' } },
    { args: ['Hi'], run: { prompt: 'Hi' } },
    { args: ['Explain', '@a.ts', '-o', 'json', 'now'], run: { prompt: 'Explain @a.ts now', output: 'json' } },
    { args: ['--trust', 'Hi'], run: { trust: true, prompt: 'Hi' } },
    { args: ['--', '--help me'], run: { prompt: '--help me' } },
  ];
  for (const { args, run } of accepted) {
    it(`takes ${JSON.stringify(args)}`, () => {
      assert.deepEqual(parseArguments(args), { ...nothingGiven, ...run });
    });
  }

  const refused: readonly { readonly args: readonly string[]; readonly says: RegExp }[] = [
    { args: ['--colour'], says: /^--colour is not a flag/ },
    { args: ['-x'], says: /^-x is not a flag of Gantry\. See --help\.$/ },
    { args: ['--workspce', 'x'], says: /^--workspce is not a flag of Gantry\. Did you mean --workspace\?/ },
    { args: ['--outputFormat=json'], says: /^--outputFormat is.*Did you mean --output-format\?/ },
    { args: ['--approvalMode', 'yolo'], says: /Did you mean --approval-mode\?/ },
    { args: ['--yollo'], says: /Did you mean --yolo\?/ },
    { args: ['--list-session'], says: /Did you mean --list-sessions\?/ },
    { args: ['-model', 'x'], says: /^-model is.*Did you mean --model\?/ },
    { args: ['-output', 'json'], says: /^-output is.*Did you mean --output\?/ },
    { args: ['-trust'], says: /^-trust is.*Did you mean --trust\?/ },
    { args: ['--yolo', '--approval-mode', 'plan'], says: /^--yolo cannot be combined with --approval-mode/ },
    { args: ['--yolo=no'], says: /^--yolo takes no value/ },
    { args: ['-o', 'json', '--output-format', 'text'], says: /^--output was given twice/ },
    { args: ['--output-format'], says: /^--output-format needs text, json or stream-json/ },
    { args: ['-p', 'Hi', 'there'], says: /^There are two prompts: that of --prompt, and "there"/ },
    { args: ['-p', '-m', 'x'], says: /^--prompt needs the prompt after it, but -m follows/ },
    { args: ['--no-trust'], says: /^--no-trust is not a flag/ },
    { args: ['-p'], says: /^--prompt needs the prompt/ },
    {
      args: ['-p', '--output', 'json'],
      says: /--prompt needs the prompt after it, but --output follows.*--prompt=--output/,
    },
    { args: ['-p', 'a', '-p', 'b'], says: /^--prompt was given twice/ },
    { args: ['--trust=yes'], says: /^--trust takes no value/ },
    { args: ['--output', 'xml'], says: /^--output "xml" is unknown.*text, json or stream-json/ },
    { args: ['--max-turns', 'many'], says: /^--max-turns "many".*whole number/ },
    { args: ['--max-turns', '-2'], says: /^--max-turns "-2"/ },
    { args: ['--max-turns', '1.5'], says: /^--max-turns "1.5"/ },
    {
      args: ['--approval-mode', 'auto-edit'],
      says: /^--approval-mode "auto-edit" is unknown.*plan, default, autoEdit, yolo/,
    },
    {
      args: ['--otlp', 'localhost:4318'],
      says: /^The value of --otlp is not an http or https URL\. It takes the URL of an OpenTelemetry receiver/,
    },
    {
      args: ['--otlp', 'https://me:secret@example.com'],
      says: /^The value of --otlp has a user name or a password in it\. (?!.*secret)/,
    },
    {
      args: ['--sandbox-network', 'https://example.com'],
      says: /^--sandbox-network "https:\/\/example.com" is not possible\. It takes a host/,
    },
    { args: ['--policy', ' '], says: /^--policy is empty/ },
    { args: ['--model', ''], says: /^--model is empty/ },
    { args: ['--workspace='], says: /^--workspace is empty/ },
    { args: ['--resume', ' '], says: /^--resume is empty.*latest/ },
    { args: ['--resume'], says: /^--resume needs the id of a session, or latest/ },
    { args: ['--resume', '-p', 'Hi'], says: /^--resume needs .* but -p follows/ },
    { args: ['--list-sessions=yes'], says: /^--list-sessions takes no value/ },
    { args: ['--list-sessions', '-p', 'Hi'], says: /^--list-sessions only lists, so --prompt/ },
    { args: ['--resume', 'latest', '--list-sessions'], says: /^--list-sessions only lists, so --resume/ },
    { args: ['--list-sessions', '--output', 'xml'], says: /^--output "xml" is unknown/ },
  ];
  for (const { args, says } of refused) {
    it(`refuses ${JSON.stringify(args)}`, () => {
      const parsed = parseArguments(args);
      assert.equal(parsed.kind, 'invalid');
      assert.match(parsed.message, says);
    });
  }

  it('knows the wanted format of output where something else is wrong', () => {
    const format = (...args: readonly string[]): unknown => {
      const parsed = parseArguments(args);
      return parsed.kind === 'invalid' && parsed.output;
    };
    assert.equal(format('--colour', '-o', 'json'), 'json');
    assert.equal(format('--output-format=stream-json', '--max-turns', 'x'), 'stream-json');
    assert.equal(format('--output', 'xml'), 'text');
    assert.equal(format('--output', 'xml', '-o', 'json'), 'json');
    assert.equal(format('--colour'), 'text');
  });

  it('lists sessions', () => {
    const listed = parseArguments(['--list-sessions', '--workspace', 'w', '--output', 'json']);
    assert.deepEqual(listed, { kind: 'list-sessions', workspace: 'w', output: 'json' });
  });

  it('answers --help and --version whatever else is wrong', () => {
    assert.deepEqual(parseArguments(['--colour', '-h']), { kind: 'help' });
    assert.deepEqual(parseArguments(['--help', '--version']), { kind: 'help' });
    assert.deepEqual(parseArguments(['-v', 'Hi']), { kind: 'version' });
  });

  it('never throws', () => {
    const awkward = fc.constantFrom('-p', '--output', '--', '-', '--=', '--trust=', '__proto__', '--__proto__');
    fc.assert(fc.property(fc.array(fc.oneof(fc.string(), awkward)), (args) => void parseArguments(args)));
  });

  describe('of "acp"', () => {
    const { model, fallback, maxTurns, approvalMode, sandbox, sandboxNetwork, policies, trust, otlp } = nothingGiven;
    const rest = { sandbox, sandboxNetwork, policies, trust, otlp };
    const nothing = { kind: 'acp', model, fallback, maxTurns, approvalMode, ...rest };

    it('are those that apply to every session', () => {
      assert.deepEqual(parseArguments(['acp']), nothing);
      assert.deepEqual(parseArguments(['acp', '--trust', '--approval-mode', 'plan', '-m', 'flash']), {
        ...nothing,
        trust: true,
        approvalMode: 'plan',
        model: 'flash',
      });
      assert.deepEqual(parseArguments(['acp', '--help']), { kind: 'help' });
    });

    for (const args of [
      ['-p', 'Hi'],
      ['Hi'],
      ['--workspace', 'x'],
      ['--resume', 'latest'],
      ['--output', 'json'],
      ['--wild'],
    ]) {
      it(`are not ${args.join(' ')}`, () => {
        const parsed = parseArguments(['acp', ...args]);
        assert.equal(parsed.kind, 'invalid');
      });
    }

    it('are a prompt if the word is not the first, or is given with -p', () => {
      assert.deepEqual(parseArguments(['-p', 'acp']), { ...nothingGiven, prompt: 'acp' });
      assert.deepEqual(parseArguments(['--trust', 'acp']), { ...nothingGiven, trust: true, prompt: 'acp' });
    });
  });

  describe('of "serve"', () => {
    const { model, fallback, maxTurns, approvalMode, sandbox, sandboxNetwork, policies, trust, otlp } = nothingGiven;
    const forSessions = { model, fallback, maxTurns, approvalMode, sandbox, sandboxNetwork, policies, trust, otlp };
    const nothing = {
      kind: 'serve',
      task: 'serve',
      ...forSessions,
      workspace: undefined,
      port: 41242,
      idleExit: undefined,
      approves: true,
      push: undefined,
    };

    it('are those that apply to every session, and those of the server', () => {
      assert.deepEqual(parseArguments(['serve']), nothing);
      const args = ['serve', '--workspace', 'x', '--port', '0', '--idle-exit', '2.5', '--no-approve', '--yolo'];
      const given = { workspace: 'x', port: 0, idleExit: 2.5, approves: false, approvalMode: 'yolo' };
      const push = 'https://example.com/hooks';
      assert.deepEqual(parseArguments([...args, '--push', push]), { ...nothing, ...given, push });
      for (const task of ['detach', 'status', 'stop'] as const) {
        assert.deepEqual(parseArguments(['serve', `--${task}`]), { ...nothing, task });
      }
    });

    for (const args of [
      ['Hi'],
      ['--output', 'json'],
      ['--resume', 'latest'],
      ['--port', '65536'],
      ['--port', 'http'],
      ['--idle-exit', '0'],
      ['--idle-exit', 'never'],
      ['--no-approve=yes'],
      ['--push', ''],
      ['--push', 'example.com'],
      ['--push', 'http://example.com'],
      ['--push', 'https://me:pass@example.com'],
      ['--push', 'https://example.com/?key=1'],
      ['--status', '--stop'],
      ['--stop', '--port', '0'],
    ]) {
      it(`are not ${args.join(' ')}`, () => {
        assert.equal(parseArguments(['serve', ...args]).kind, 'invalid');
      });
    }

    it('belong to it alone', () => {
      for (const flag of [
        ['--port', '1'],
        ['--idle-exit', '1'],
        ['--no-approve'],
        ['--push', 'https://a.example'],
        ['--detach'],
      ]) {
        for (const before of [['-p', 'Hi'], ['acp'], ['--list-sessions']]) {
          assert.equal(parseArguments([...before, ...flag]).kind, 'invalid');
        }
      }
    });
  });
});
