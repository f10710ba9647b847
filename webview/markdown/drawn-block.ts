import { property } from 'lit/decorators.js';
import { LightElement } from '../base/light-element.ts';

/** A part of an answer that draws itself from its source, and is told about another one instead of being replaced. */
export abstract class DrawnBlock extends LightElement {
  @property({ attribute: false }) code = '';
  /** More may follow. */
  @property({ attribute: false }) streaming = false;

  /** Takes over what another block of its kind shows. */
  become(other: this): void {
    this.code = other.code;
    this.streaming = other.streaming;
  }
}
