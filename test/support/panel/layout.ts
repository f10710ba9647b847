/** Runs in the page, to which it is sent as text: returns the layout faults. */
export function layoutFaults(): readonly string[] {
  const CONTROLS = 'button, a[href], input, textarea, select, vscode-button, [role=option], summary';
  const LAYERS = '.menu, .jump';
  const faults: string[] = [];
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${element.className} "${(element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 40)}"`;

  const overflow = document.documentElement.scrollWidth - window.innerWidth;
  if (overflow > 0) faults.push(`The page is ${overflow} px too wide.`);
  for (const scroller of document.querySelectorAll('.log, .shelf, .sheet-body, .ask, .ask-what, .diff, .menu, .dock'))
    if (scroller.scrollWidth > scroller.clientWidth + 1) faults.push(`${nameOf(scroller)} scrolls sideways`);

  /** The visible part of an element: its intersection with all ancestors that clip their content. */
  const seenPart = (element: Element): DOMRect | undefined => {
    const rect = element.getBoundingClientRect();
    let { left, top, right, bottom } = rect;
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (around.matches('[inert]') || getComputedStyle(around).opacity === '0') return undefined;
      if (getComputedStyle(around).overflowY === 'visible') continue;
      const box = around.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return right > left && bottom > top ? new DOMRect(left, top, right - left, bottom - top) : undefined;
  };

  const controls = [...document.querySelectorAll(CONTROLS)].filter(
    (control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('.sr'),
  );
  const seen: { readonly control: Element; readonly part: DOMRect }[] = [];
  for (const control of controls) {
    const part = seenPart(control);
    if (!part) continue;
    const { width, top, bottom } = control.getBoundingClientRect();
    // Text with an ellipsis has a tooltip; a wide table or a line of code scrolls in its own box.
    const mayBeCut = control.closest('.cut, .table-box, pre') !== null;
    if (part.width < width - 1 && !mayBeCut) faults.push(`${nameOf(control)} is cut: ${part.width} of ${width} px`);
    const isFixed = control.closest('.dock, .sheet-foot, .session-bar') !== null && !control.closest('.shelf, .menu');
    if (isFixed && (top < 0 || bottom > window.innerHeight)) faults.push(`${nameOf(control)} is out of sight`);
    // Ignore controls that are mostly scrolled out of view.
    if (part.height > 12) seen.push({ control, part });
  }
  for (const [index, { control, part }] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      if (control.contains(other.control) || other.control.contains(control)) continue;
      // A menu covers the controls behind it on purpose, and so does the button that returns to the end.
      if (control.closest(LAYERS) !== other.control.closest(LAYERS)) continue;
      const across = Math.min(part.right, other.part.right) - Math.max(part.left, other.part.left);
      const down = Math.min(part.bottom, other.part.bottom) - Math.max(part.top, other.part.top);
      if (across > 2 && down > 2) faults.push(`${nameOf(control)} and ${nameOf(other.control)} overlap`);
    }
  }
  return faults;
}
