export type ComposerAction = 'send' | 'stop' | 'hold' | 'none';

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

/** `hold`: the key is ours, and nothing is to be done now. Enter during a turn keeps the draft for later. */
export function composerKey(press: KeyPress, running: boolean): ComposerAction {
  if (press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD) return 'none';
  if (press.ctrlKey || press.altKey || press.metaKey) return 'none';
  if (press.key === 'Enter' && !press.shiftKey) return running ? 'hold' : 'send';
  if (press.key === 'Escape' && running) return 'stop';
  return 'none';
}
