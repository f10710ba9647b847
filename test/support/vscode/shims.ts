import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * VS Code's server needs two native modules that come without binaries, so installing them takes a compiler and
 * minutes. These replacements do the same with Node alone: write log files, and exit when the parent process is gone.
 */
export async function writeNativeShims(nodeModules: string): Promise<void> {
  await writePackage(nodeModules, '@vscode/spdlog', spdlog);
  // The watchdog changed its name between the two releases.
  await writePackage(nodeModules, '@vscode/native-watchdog', watchdog);
  await writePackage(nodeModules, 'native-watchdog', watchdog);
}

async function writePackage(nodeModules: string, name: string, source: string): Promise<void> {
  const folder = join(nodeModules, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
  await writeFile(join(folder, 'index.js'), source);
}

const spdlog = `'use strict';
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
let defaultLevel = 2;

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = defaultLevel;
    this.bare = false;
  }
  trace(message) { this.write(0, message); }
  debug(message) { this.write(1, message); }
  info(message) { this.write(2, message); }
  warn(message) { this.write(3, message); }
  error(message) { this.write(4, message); }
  critical(message) { this.write(5, message); }
  write(level, message) {
    if (level < this.level) {
      return;
    }
    const stamp = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const line = this.bare ? message : stamp + ' [' + names[level] + '] ' + message + '\\n';
    try {
      appendFileSync(this.file, line);
    } catch (error) {
      // The data folder is deleted at the end of a run while the last lines still arrive.
      if (error.code !== 'ENOENT') {
        throw error;
      }
    }
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.bare = true; }
  flush() {}
  drop() {}
}

async function createLogger(name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = (level) => { defaultLevel = level; };
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
`;

const watchdog = `'use strict';
exports.start = (pid) => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if (error.code === 'ESRCH') {
        process.exit(87);
      }
    }
  }, 1000).unref();
};
exports.exit = (code) => process.exit(code || 0);
`;
