import { openSync, writeSync } from 'node:fs';
import { LogFile } from '../../../../extension/sessions/store/log-file.ts';
import { delta } from './records.ts';

/** node append-until-killed.mjs log counter: appends without end, and says in `counter` how often append returned. */
const [, , path = '', counter = ''] = process.argv;
const log = new LogFile(path);
const fd = openSync(counter, 'w');
for (let count = 1; ; count++) {
  log.append(delta(`${count} ${'x'.repeat(count % 3000)}`));
  writeSync(fd, String(count).padStart(12), 0);
}
