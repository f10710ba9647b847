import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import {
  AuthMethods,
  ChatParticipants,
  Commands,
  ContextKeys,
  EDITOR_PANEL,
  EXTENSION_ID,
  ModelTools,
  Settings,
  Views,
} from '../../extension/vscode/names.ts';
import germanTexts from '../../l10n/bundle.l10n.de.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { MANIFEST_TEXTS, shown } from '../support/nls.ts';
import { repoRoot } from '../support/repo.ts';

const { contributes, capabilities } = manifest;
const properties: Record<string, { scope?: string; order?: number; default?: unknown; enum?: readonly string[] }> =
  contributes.configuration.properties;

describe('The manifest', () => {
  it('is gantry.gantry for VS Code 1.100 and later', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, EXTENSION_ID);
    assert.equal(manifest.displayName, 'Gantry');
    assert.equal(manifest.engines.vscode, '^1.100.0');
  });

  it('contributes exactly the commands the code knows, all in the category Gantry', () => {
    assert.deepEqual(contributes.commands.map((entry) => entry.command).sort(), Object.values(Commands).sort());
    for (const entry of contributes.commands) assert.equal(entry.category, 'Gantry');
  });

  it('contributes exactly the settings the code reads', () => {
    const known = Object.values(Settings).map((key) => `gantry.${key}`);
    assert.deepEqual(Object.keys(properties).sort(), known.sort());
  });

  it('offers exactly the ways to sign in that the code knows', () => {
    assert.deepEqual(properties['gantry.auth.method']?.enum, AuthMethods);
  });

  it('contributes exactly the views the code fills', () => {
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map((container) => container.id),
      [Views.container],
    );
    assert.deepEqual(
      contributes.views.gantry.map((view) => view.id),
      [Views.chat],
    );
  });

  it('offers the actions of a file on its tab, whatever is selected in the Explorer', () => {
    const entries: readonly { readonly command: string; readonly when?: string }[] = contributes.menus['gantry.tab'];
    assert.ok(entries.some(({ command }) => command === Commands.addFile));
    assert.deepEqual(
      entries.filter(({ when }) => when !== undefined),
      [],
    );
  });

  it('uses exactly the context keys the code sets', () => {
    const menus = Object.values(contributes.menus).flat();
    const clauses = [...contributes.commands, ...menus, ...contributes.keybindings].flatMap((entry) => [
      'enablement' in entry ? entry.enablement : '',
      'when' in entry ? entry.when : '',
    ]);
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    const events = steps.flatMap((step) => step.completionEvents).filter((event) => event.startsWith('onContext:'));
    clauses.push(...events);
    const names = clauses.join(' ').match(/\bgantry\.[\w.]+/g) ?? [];
    const ids: readonly string[] = [Views.chat, EDITOR_PANEL, 'gantry.review'];
    const keys = new Set(names.filter((name) => !ids.includes(name)));
    assert.deepEqual([...keys].sort(), Object.values(ContextKeys).sort());
  });

  it('has commands that exist behind its menus, keys and walkthroughs', () => {
    const known = new Set<string>([...Object.values(Commands), 'workbench.trust.manage']);
    const menus = Object.values(contributes.menus).flat();
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    const descriptions = steps.flatMap(({ description }) => [shown(description), shown(description, 'de')]);
    const links = descriptions.flatMap((text) => [...text.matchAll(/\(command:([\w.]+)/g)].map(([, id]) => id));
    const events = steps.flatMap((step) => step.completionEvents).filter((event) => event.startsWith('onCommand:'));
    const named = [
      ...menus.flatMap((entry) => ('command' in entry ? [entry.command] : [])),
      ...contributes.keybindings.map((entry) => entry.command),
      ...links,
      ...events.map((event) => event.slice('onCommand:'.length)),
    ];
    assert.deepEqual(
      named.filter((command) => !known.has(command ?? '')),
      [],
    );
  });

  it('has no key on Windows that AltGr types a letter with', () => {
    const windows = contributes.keybindings.map((entry) => ('win' in entry ? entry.win : undefined) ?? entry.key);
    assert.deepEqual(
      windows.filter((key) => /ctrl\+alt\+[a-z]\b/.test(key)),
      [],
    );
  });

  it('has one place for each setting', () => {
    const places = Object.values(properties).map(({ order }) => order);
    assert.equal(new Set(places).size, places.length);
  });

  it('has only submenus that it fills, and fills only those', () => {
    const filled = Object.keys(contributes.menus).filter((menu) => menu.startsWith('gantry.'));
    assert.deepEqual(filled.sort(), contributes.submenus.map(({ id }) => id).sort());
  });

  it("names who answers in VS Code's own chat, and what can be called from it, as the code does", () => {
    assert.deepEqual(
      contributes.chatParticipants.map(({ id }) => id),
      Object.values(ChatParticipants),
    );
    assert.deepEqual(
      contributes.languageModelTools.map(({ name }) => name),
      Object.values(ModelTools),
    );
  });

  it('lets no folder choose the endpoint or how to sign in', () => {
    const auth = Object.keys(properties).filter((key) => key.startsWith('gantry.auth.'));
    assert.equal(auth.length, 8);
    for (const key of [...auth, 'gantry.model.baseUrl']) {
      assert.match(properties[key]?.scope ?? '', /^(application|machine)$/, key);
    }
  });

  it('lets no folder turn on telemetry, or choose where it goes', () => {
    const keys = Object.keys(properties).filter((key) => key.startsWith('gantry.telemetry.'));
    assert.equal(keys.length, 2);
    for (const key of keys) assert.equal(properties[key]?.scope, 'machine', key);
  });

  it('takes no setting from an untrusted folder', () => {
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    assert.ok(capabilities.untrustedWorkspaces.description.length > 0);
    assert.deepEqual(
      [...capabilities.untrustedWorkspaces.restrictedConfigurations].sort(),
      Object.keys(properties).sort(),
    );
  });

  it('says that virtual folders do not work', () => {
    assert.equal(capabilities.virtualWorkspaces.supported, false);
    assert.ok(capabilities.virtualWorkspaces.description.length > 0);
  });

  it('names files that exist', () => {
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    const files = [
      manifest.icon,
      contributes.viewsContainers.activitybar[0]?.icon ?? '',
      ...steps.map((step) => step.media.markdown),
      ...contributes.languages.flatMap((language) => ('configuration' in language ? language.configuration : [])),
    ];
    assert.deepEqual(
      files.filter((file) => !existsSync(join(repoRoot, file))),
      [],
    );
  });
});

describe('The texts of the manifest', () => {
  const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');

  for (const [language, texts] of Object.entries(MANIFEST_TEXTS)) {
    it(`are all there and all used (${language})`, () => {
      assert.deepEqual(Object.keys(texts).sort(), [...new Set(used)].sort());
      for (const [key, text] of Object.entries(texts)) assert.match(text, /\S/, key);
    });
  }

  it('are none that stand in the manifest itself', () => {
    const readable = /^(title|description|markdownDescription|patternErrorMessage|userDescription|enumDescriptions)$/;
    const plain: string[] = [];
    JSON.stringify(manifest, (key, value: unknown) => {
      if (key === 'inputSchema') return undefined;
      if (readable.test(key)) plain.push(...[value].flat().filter((text) => typeof text === 'string'));
      return value;
    });
    assert.deepEqual([...new Set(plain.filter((text) => !/^%.*%$/.test(text)))], ['Gantry']);
  });

  it('link to the same in every language, with the same code and settings in them', () => {
    const fixed = (text: string) => text.match(/\(command:[^?)]*|`[^`]*`|#[\w.]+#/g) ?? [];
    for (const [key, text] of Object.entries(MANIFEST_TEXTS.en)) {
      assert.deepEqual(fixed(MANIFEST_TEXTS.de[key] ?? '').sort(), fixed(text).sort(), key);
    }
  });

  it('fill the input with a request in the language of the text', () => {
    const german: Readonly<Record<string, string>> = germanTexts;
    const requestsIn = (text: string) =>
      [...text.matchAll(/fillInput\?([^)]*)/g)].map(([, given = '']): unknown => JSON.parse(decodeURIComponent(given)));
    const english = Object.entries(MANIFEST_TEXTS.en).flatMap(([key, text]) =>
      requestsIn(text).map((request) => ({ key, request })),
    );
    assert.equal(english.length, 3);
    for (const { key, request } of english) {
      assert.ok(Array.isArray(request));
      assert.deepEqual(requestsIn(MANIFEST_TEXTS.de[key] ?? ''), [[german[String(request[0])]]], key);
    }
  });

  it('have their pages beside them in every language', () => {
    const pages = contributes.walkthroughs.flatMap(({ steps }) => steps).map(({ media }) => media.markdown);
    // VS Code looks for this name: gettingStartedDetailRenderer.ts.
    const german = pages.map((page) => page.replace(/\.md$/, '.nls.de.md'));
    assert.deepEqual(
      german.filter((page) => !existsSync(join(repoRoot, page))),
      [],
    );
  });
});

describe('The repository', () => {
  it('has nothing at its top but what belongs there', () => {
    const expected = [
      'CHANGELOG.md CONTRIBUTING.md LICENSE README.md build docs esbuild.mjs extension media',
      'biome.json l10n package-lock.json package.json package.nls.json package.nls.de.json test tsconfig.json webview',
    ].flatMap((line) => line.split(' '));
    // Somebody may have notes of their own there, or the log of this run.
    const committed = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files'], { cwd: repoRoot, encoding: 'utf8' });
    const names = new Set(committed.split('\n').map((path) => path.replace(/\/.*/, '')));
    const present = [...names].filter((name) => name !== '' && !name.startsWith('.'));
    assert.deepEqual(present.sort(), expected.sort());
  });

  it('explains every dependency, and only those it has', () => {
    const text = readFileSync(join(repoRoot, 'docs/dependencies.md'), 'utf8');
    const explained = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);
    const present = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
    assert.deepEqual(explained.sort(), present.sort());
  });

  it('pins every dependency, ADK above all', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.deepEqual(
      versions.filter(([, version]) => !/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+$/.test(version)),
      [],
    );
    assert.equal(manifest.dependencies['@google/adk'], '2.0.0');
  });

  it('has a lockfile without registry addresses', () => {
    assert.doesNotMatch(readFileSync(join(repoRoot, 'package-lock.json'), 'utf8'), /"resolved":/);
  });
});
