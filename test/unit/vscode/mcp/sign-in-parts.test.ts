import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SignInLinks } from '../../../../extension/vscode/auth/sign-in-links.ts';
import { McpLogins } from '../../../../extension/vscode/auth/stored-logins.ts';
import { userMcpFile } from '../../../../extension/vscode/base/user-mcp-file.ts';
import { isSignInPage } from '../../../../extension/vscode/mcp/sign-in-page.ts';

describe('Signing in to MCP servers from VS Code', () => {
  it('opens pages of the web and of this machine, and nothing else that a server may name', () => {
    for (const page of [
      'https://a.example/authorize?x=1',
      'http://127.0.0.1:8080/a',
      'http://localhost/',
      'http://[::1]/',
    ])
      assert.equal(isSignInPage(page), true, page);
    for (const page of [
      'http://a.example/authorize',
      'http://127.0.0.1.evil.example/',
      'file:///etc/passwd',
      'vscode://gantry.gantry/new?prompt=hi',
      'command:workbench.action.terminal.new',
      'ms-settings:privacy',
      'javascript:alert(1)',
      '\\\\server\\share',
      '',
    ])
      assert.equal(isSignInPage(page), false, page);
  });

  it('keeps one secret for each server', async () => {
    const kept = new Map<string, string>();
    const logins = new McpLogins({
      get: async (key) => kept.get(key),
      store: async (key, value) => void kept.set(key, value),
      delete: async (key) => void kept.delete(key),
    });
    await logins.write('one', 'first');
    await logins.write('two', 'second');
    assert.deepEqual([...kept.keys()], ['gantry.mcpLogin.one', 'gantry.mcpLogin.two']);
    assert.deepEqual([await logins.read('one'), await logins.read('none')], ['first', undefined]);
    await logins.write('one', undefined);
    assert.deepEqual([await logins.read('one'), await logins.read('two')], [undefined, 'second']);
  });

  it('gives links to everybody who waits, and takes none when nobody does', () => {
    const links = new SignInLinks();
    const uri = (path: string) => ({ path, query: 'code=1' }) as Parameters<SignInLinks['take']>[0];
    assert.equal(links.take(uri('/signed-in')), false);
    const got: string[] = [];
    const waiting = [links.wait((query) => got.push(query)), links.wait((query) => got.push(query))];
    assert.deepEqual([links.take(uri('/signed-in')), links.take(uri('/new'))], [true, false]);
    assert.deepEqual(got, ['code=1', 'code=1']);
    for (const each of waiting) each.dispose();
    assert.equal(links.take(uri('/signed-in')), false);
  });
});

describe("The user's mcp.json of VS Code", () => {
  const file = (fsPath: string, scheme = 'file') => userMcpFile({ scheme, fsPath });

  it('is beside the folder in which extensions keep their files', () => {
    assert.equal(
      file('/home/ada/.config/Code/User/globalStorage/gantry.gantry'),
      '/home/ada/.config/Code/User/mcp.json',
    );
  });

  it('is not guessed where that folder is somewhere else', () => {
    assert.equal(file('/somewhere/gantry.gantry'), undefined);
    assert.equal(file('/User/globalStorage/gantry.gantry', 'vscode-userdata'), undefined);
  });
});
