import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { announce, postToHost } from '../events.ts';
import { icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';

/** Long enough to be seen, short enough that a second copy shows again. */
const COPIED_MS = 1500;

/** A well with its language and Copy. The head is there from the opening fence, so nothing moves when code arrives. */
@customElement('gantry-code-block')
export class CodeBlock extends LightElement {
  @property({ attribute: false }) code = '';
  @property({ attribute: false }) language = '';
  @property({ attribute: false }) streaming = false;
  @state() private copied = false;
  private timer: number | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
  }

  override render(): TemplateResult {
    const name = this.language === '' ? 'Code' : `Code, ${this.language}`;
    const groups = lineGroups(this.code);
    const caret = (index: number): TemplateResult | typeof nothing =>
      this.streaming && index === groups.length - 1 ? html`<span class="caret"></span>` : nothing;
    return html`<figure class="well">
      <div class="well-head">
        <span class="grow cut">${this.language}</span>
        <button class="icon" type="button" aria-label="Copy" title=${this.copied ? 'Copied' : 'Copy'} @click=${this.copy}>
          ${icon(this.copied ? 'check' : 'copy')}
        </button>
      </div>
      <pre tabindex="0" role="group" aria-label=${name}><code>${groups.map(
        (lines, index) => html`<span class="lines">${lines}${caret(index)}</span>`,
      )}</code></pre>
    </figure>`;
  }

  private copy(): void {
    postToHost(this, { type: 'copy', text: this.code });
    announce(this, 'Copied');
    this.copied = true;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.copied = false;
    }, COPIED_MS);
  }
}

/** Code that grows is laid out from the last group on: 3000 lines in one piece cost 25 ms a frame. */
const GROUP = 100;

/** Each group ends with its line break, which as the end of a block takes no line of its own. */
function lineGroups(code: string): string[] {
  const groups: string[] = [];
  let start = 0;
  for (let line = 1, end = code.indexOf('\n'); end >= 0; line++, end = code.indexOf('\n', end + 1)) {
    if (line % GROUP !== 0) continue;
    groups.push(code.slice(start, end + 1));
    start = end + 1;
  }
  groups.push(code.slice(start));
  return groups;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-code-block': CodeBlock;
  }
}
