import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { GeminiSettings, type LayerName } from '../../../extension/gemini-config/gemini-settings.ts';
import { createHeadlessHost, type HeadlessHostOptions } from '../../../extension/headless/headless-host.ts';

function host(options: Partial<HeadlessHostOptions> = {}) {
  const lines: string[] = [];
  const created = createHeadlessHost({
    assets: '/assets',
    workspace: '/w',
    trusted: false,
    model: undefined,
    maxTurns: undefined,
    environment: {},
    writeLog: (line) => lines.push(line),
    ...options,
  });
  return { ...created, lines };
}

function settingsOf(
  layers: Partial<Record<LayerName, Readonly<Record<string, unknown>>>>,
  isTrusted = true,
): GeminiSettings {
  const written = Object.entries(layers) as [LayerName, Readonly<Record<string, unknown>>][];
  return new GeminiSettings(
    written.map(([layer, fields]) => ({ layer, file: `/${layer}.json`, fields })),
    [],
    isTrusted,
  );
}

describe('headless host', () => {
  it('has the workspace as its only folder, trusted only when told so', () => {
    assert.deepEqual(host().workspace.roots(), ['/w']);
    assert.equal(host().workspace.isTrusted(), false);
    assert.equal(host({ trusted: true }).workspace.isTrusted(), true);
  });

  it('uses fetch if it may know a proxy', () => {
    assert.equal(host().connectsDirectly, true);
    for (const name of [
      'HTTPS_PROXY',
      'https_proxy',
      'HTTP_PROXY',
      'all_proxy',
      'NODE_USE_ENV_PROXY',
      'NODE_OPTIONS',
    ]) {
      assert.equal(host({ environment: { [name]: 'x' } }).connectsDirectly, false, name);
    }
  });

  it('takes settings from the flags', async () => {
    const plain = host().settings;
    const given = host({ model: 'gemini-x', maxTurns: 3 }).settings;
    assert.deepEqual(
      [plain.authMethod(), plain.modelName(), plain.baseUrl(), plain.limits().prompt.turns],
      ['auto', 'auto', '', -1],
    );
    assert.deepEqual([given.modelName(), given.limits().prompt.turns], ['gemini-x', 3]);
    assert.equal(await host().secrets.apiKey(), undefined);
  });

  it('takes what no flag says from the environment, and then from the settings of Gemini CLI', () => {
    const fields = {
      model: { name: 'gemini-set', maxSessionTurns: 5 },
      general: { defaultApprovalMode: 'auto_edit' },
      modelConfigs: { aliases: {} },
    };
    const geminiSettings = () => settingsOf({ user: fields });
    const read = (options: Partial<HeadlessHostOptions> = {}) => {
      const { settings } = host({ geminiSettings, ...options });
      return [settings.modelName(), settings.limits().prompt.turns, settings.approvalMode(), settings.modelConfigs?.()];
    };
    assert.deepEqual(read(), ['gemini-set', 5, 'autoEdit', { aliases: {} }]);
    assert.equal(read({ environment: { GEMINI_MODEL: 'gemini-env' } })[0], 'gemini-env');
    assert.equal(read({ environment: { GEMINI_MODEL: '' } })[0], 'gemini-set');
    const flags = { model: 'gemini-flag', maxTurns: 7, approvalMode: 'plan' } as const;
    assert.deepEqual(read({ environment: { GEMINI_MODEL: 'x' }, ...flags }).slice(0, 3), ['gemini-flag', 7, 'plan']);
    assert.deepEqual(read({ geminiSettings: () => settingsOf({}) }), ['auto', -1, 'default', undefined]);
  });

  it('lets a folder lower the turns and, when it is trusted, name the model, and nothing else', () => {
    const fields = {
      model: { name: 'gemini-theirs', maxSessionTurns: 3 },
      general: { defaultApprovalMode: 'auto_edit' },
      modelConfigs: { aliases: {} },
    };
    const read = (turns: number, trusted: boolean) => {
      const user = { model: { name: 'gemini-mine', maxSessionTurns: turns } };
      const { settings } = host({ geminiSettings: () => settingsOf({ user, project: fields }, trusted) });
      return [settings.modelName(), settings.limits().prompt.turns, settings.approvalMode(), settings.modelConfigs?.()];
    };
    assert.deepEqual(read(-1, true), ['gemini-theirs', 3, 'default', undefined]);
    assert.deepEqual(read(2, true), ['gemini-theirs', 2, 'default', undefined]);
    assert.deepEqual(read(9, false), ['gemini-mine', 3, 'default', undefined]);
  });

  it('sends telemetry only where a flag says, with the headers that OpenTelemetry has in the environment', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b%3D, x-scope = team=1 ,,broken=%zz',
    };
    assert.equal(host({ environment }).settings.telemetry?.().endpoint, '');
    assert.deepEqual(host({ environment, otlp: 'http://localhost:9' }).settings.telemetry?.(), {
      endpoint: 'http://localhost:9',
      headers: { 'api-key': 'a b=', 'x-scope': 'team=1', broken: '%zz' },
      source: '--otlp',
      headersSource: 'OTEL_EXPORTER_OTLP_HEADERS',
    });
  });

  it('logs only with GANTRY_LOG=debug', () => {
    const quiet = host();
    const loud = host({ environment: { GANTRY_LOG: 'debug' } });
    for (const { log } of [quiet, loud]) {
      log.debug('one');
      log.error('two', 'because');
    }
    assert.deepEqual(quiet.lines, []);
    assert.deepEqual(loud.lines, ['[debug] one', '[error] two\nbecause']);
  });
});
