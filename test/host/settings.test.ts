import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { VsCodeSettings } from '../../extension/vscode/settings.ts';

describe('Settings', () => {
  const settings = new VsCodeSettings();
  const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('gantry');

  afterEach(async () => {
    await configuration().update('model.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await configuration().update('session.maxTurns', undefined, vscode.ConfigurationTarget.Global);
  });

  it('have the defaults of the manifest', () => {
    assert.equal(settings.authMethod(), 'auto');
    assert.equal(settings.modelName(), 'auto');
    assert.equal(settings.baseUrl(), '');
    assert.equal(settings.maxTurns(), -1);
  });

  it('cannot be given an endpoint by a folder', async () => {
    await assert.rejects(
      Promise.resolve(
        configuration().update('model.baseUrl', 'http://evil.invalid', vscode.ConfigurationTarget.Workspace),
      ),
    );
    assert.equal(settings.baseUrl(), '');
  });

  it('are read as the user set them', async () => {
    await configuration().update('model.baseUrl', ' http://127.0.0.1:9 ', vscode.ConfigurationTarget.Global);
    await configuration().update('session.maxTurns', 3, vscode.ConfigurationTarget.Global);
    assert.equal(settings.baseUrl(), 'http://127.0.0.1:9');
    assert.equal(settings.maxTurns(), 3);
  });

  it('fall back to the default when settings.json has nonsense in it', async () => {
    await configuration().update('session.maxTurns', 'many', vscode.ConfigurationTarget.Global);
    assert.equal(settings.maxTurns(), -1);
  });
});
