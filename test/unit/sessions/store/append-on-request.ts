import { LogFile } from '../../../../extension/sessions/store/log-file.ts';
import { delta } from './records.ts';

/** Appends what it is sent and tells what the log says of its outages. */
const log = new LogFile(process.argv[2] ?? '', {
  onFailure: ({ code }) => process.send?.(code),
  onRecovered: () => process.send?.('recovered'),
});
process.on('message', (text) => {
  log.append(delta(String(text)));
  process.send?.('appended');
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
