import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { writeNativeShims } from '../../support/vscode/shims.ts';

interface Logger {
  info(message: string): void;
  debug(message: string): void;
  clearFormatters(): void;
}

interface Spdlog {
  createAsyncRotatingLogger(name: string, file: string): Promise<Logger>;
}

describe("The stand-in for VS Code's native logger", () => {
  let folder: TempFolder;
  let spdlog: Spdlog;

  before(async () => {
    folder = await tempFolder('shims');
    await writeNativeShims(join(folder.path, 'node_modules'));
    spdlog = createRequire(join(folder.path, 'x.js'))('@vscode/spdlog') as Spdlog;
  });

  after(() => folder.dispose());

  it('writes lines with time and level, and omits what is below its level', async () => {
    const file = join(folder.path, 'logs', 'a.log');
    const logger = await spdlog.createAsyncRotatingLogger('a', file);
    logger.info('one');
    logger.debug('two');
    assert.match(await readFile(file, 'utf8'), /^[\d-]+ [\d:.]+ \[info\] one\n$/);
  });

  it('writes text as it is when VS Code formats it', async () => {
    const file = join(folder.path, 'logs', 'b.log');
    const logger = await spdlog.createAsyncRotatingLogger('b', file);
    logger.clearFormatters();
    logger.info('own format\n');
    assert.equal(await readFile(file, 'utf8'), 'own format\n');
  });
});
