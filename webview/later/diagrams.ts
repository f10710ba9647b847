import mermaid, { type MermaidConfig } from 'mermaid';
import { defineDiagramStyle, pictureOf, STYLED } from '../diagrams/diagram-picture.ts';
import { diagramTheme } from '../diagrams/diagram-theme.ts';
import { offerLater } from './later-bundles.ts';

/** Larger diagrams would take seconds to lay out. */
const LONGEST = 20_000;
const MOST_EDGES = 300;

/** Options that the source of a diagram must not set, because they affect security or the theme. */
const FIXED = [
  ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
  ...['theme', 'themeCSS', 'themeVariables', 'fontFamily', 'htmlLabels', 'darkMode', 'logLevel', 'dompurifyConfig'],
];

/**
 * A diagram as the URL of a picture: nothing in a picture can run, load or be clicked. Throws if the source is invalid.
 */
export async function diagramPicture(source: string, id: string, place: HTMLElement): Promise<string> {
  if (source.length > LONGEST) throw new Error('The diagram is too long.');
  defineDiagramStyle();
  let rules = '';
  place.addEventListener(STYLED, ({ detail }) => {
    rules = detail;
  });
  mermaid.initialize({ ...SAFE, ...diagramTheme(getComputedStyle(place)) });
  const { svg } = await mermaid.render(id, source, place);
  return pictureOf(svg, rules);
}

const SAFE: MermaidConfig = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  maxTextSize: LONGEST,
  maxEdges: MOST_EDGES,
  secure: FIXED,
  logLevel: 'fatal',
};

offerLater('diagrams', { diagramPicture });
