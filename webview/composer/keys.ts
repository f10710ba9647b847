export type ComposerAction = 'send' | 'queue' | 'stop' | 'none';

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** What some browsers report for a key that an input method has taken, without setting isComposing. */
const TAKEN_BY_INPUT_METHOD = 229;

/** During a turn Enter steers it, and Alt+Enter sends for after it. */
export function composerKey(press: KeyPress, running: boolean): ComposerAction {
  if (press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD) return 'none';
  if (press.ctrlKey || press.metaKey) return 'none';
  if (press.altKey) return press.key === 'Enter' && !press.shiftKey && running ? 'queue' : 'none';
  if (press.key === 'Enter' && !press.shiftKey) return 'send';
  if (press.key === 'Escape' && running) return 'stop';
  return 'none';
}
