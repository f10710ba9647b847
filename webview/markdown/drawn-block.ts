import { property } from 'lit/decorators.js';
import { LightElement } from '../base/light-element.ts';

/** A part of an answer that renders its own source. It gets a new source instead of being replaced. */
export abstract class DrawnBlock extends LightElement {
  @property({ attribute: false }) code = '';
  /** True if more source may follow. */
  @property({ attribute: false }) streaming = false;

  /** Takes over the content of another block of its kind. */
  become(other: this): void {
    this.code = other.code;
    this.streaming = other.streaming;
  }
}
