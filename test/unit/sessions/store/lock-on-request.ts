import { type HeldLock, takeLock } from '../../../../extension/sessions/store/session-lock.ts';

export interface LockRequest {
  readonly folder: string;
  readonly label: string;
  readonly heartbeatMs?: number;
  readonly staleMs?: number;
}

/** Takes the lock of each folder it is sent and answers how that went; keeps what it got until it ends. */
const held: HeldLock[] = [];
process.on('message', ({ folder, label, ...options }: LockRequest) => {
  const onLost = (by: unknown): void => void process.send?.({ kind: 'lost', by });
  void takeLock(folder, { label }, { ...options, onLost }).then((taken) => {
    if (taken.kind === 'held') held.push(taken);
    process.send?.(taken.kind === 'held' ? { kind: 'held' } : taken);
  });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ kind: 'ready' });
