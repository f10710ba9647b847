import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import { morphText } from './morph.ts';

/** The text at the beginning of an element. What is added is appended, so that a selection in the text before survives. */
class GrownText extends Directive {
  override render(_text: string): typeof noChange {
    return noChange;
  }

  override update({ element }: ElementPart, [text]: [string]): typeof noChange {
    const { firstChild } = element;
    if (firstChild instanceof Text) morphText(firstChild, text);
    else element.prepend(text);
    return noChange;
  }
}

export const grownText = directive(GrownText);
