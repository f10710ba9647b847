import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'mocha';
import { GENERATED_PARTS, withPart } from '../support/docs/generated.ts';
import { repoRoot } from '../support/repo.ts';

const pages = readdirSync(join(repoRoot, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`);
const read = (path: string): string => readFileSync(join(repoRoot, path), 'utf8').replaceAll('\r\n', '\n');

describe('The documentation', () => {
  for (const part of GENERATED_PARTS) {
    it(`has the ${part.name} in ${part.page} that the code has: run "npm run docs" after a change`, () => {
      assert.equal(read(part.page), withPart(read(part.page), part));
    });
  }

  it('lists every page in docs/README.md', () => {
    const listed = new Set(linksOf('docs/README.md').map(({ target }) => target));
    assert.deepEqual(
      pages.filter((page) => page !== 'docs/README.md' && !listed.has(page)),
      [],
    );
  });

  it('has no link that leads nowhere', () => {
    const broken = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages].flatMap((page) =>
      linksOf(page)
        .filter(({ target, heading }) => {
          if (!existsSync(join(repoRoot, target))) return true;
          return heading !== undefined && !headingsOf(target).has(heading);
        })
        .map(({ target, heading }) => `${page}: ${target}${heading === undefined ? '' : `#${heading}`}`),
    );
    assert.deepEqual(broken, []);
  });

  it('names only source files that exist, by a path that is their own or ends it', () => {
    const sources = ['extension', 'webview', 'test', 'build'].flatMap((folder) =>
      readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `/${folder}/${name.replaceAll('\\', '/')}`,
      ),
    );
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+(?<!\.d)\.ts)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !sources.some((path) => path.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it('keeps the README on a few screens', () => {
    assert.ok(read('README.md').split('\n').length <= 120);
  });
});

/** Links to files of the repository, as paths from its top. */
function linksOf(page: string): readonly { readonly target: string; readonly heading: string | undefined }[] {
  const text = read(page)
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path = '', heading] = address.split('#');
      const target = path === '' ? page : relative(repoRoot, join(repoRoot, dirname(page), path)).replaceAll('\\', '/');
      return { target, heading };
    });
}

/** The anchors that GitHub gives to the headings of a page. */
function headingsOf(page: string): ReadonlySet<string> {
  const headings = read(page)
    .replace(/```[\s\S]*?```/g, '')
    .matchAll(/^#+ (.+)$/gm);
  const anchor = (title: string) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  return new Set([...headings].map(([, title = '']) => anchor(title)));
}
