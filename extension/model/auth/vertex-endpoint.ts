/** A part of Vertex AI; without a project in express mode, where the key tells it. */
export interface VertexPlace {
  readonly project?: string;
  readonly location: string;
}

/** Locations that are several regions have endpoints of another form. */
const MULTI_REGIONS: ReadonlySet<string> = new Set(['us', 'eu']);

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
export function vertexBaseUrl({ project, location }: VertexPlace): string {
  if (project === undefined || location === 'global') return 'https://aiplatform.googleapis.com/';
  if (MULTI_REGIONS.has(location)) return `https://aiplatform.${location}.rep.googleapis.com/`;
  return `https://${location}-aiplatform.googleapis.com/`;
}

/** The location becomes part of a host name, so nothing else may stand in it. */
export function isLocation(text: string): boolean {
  return /^[a-z]+(?:-[a-z0-9]+)*$/.test(text);
}

/** An id, a number, or the id of a domain's project such as `example.com:tools`. */
export function isProject(text: string): boolean {
  return /^[a-z0-9][a-z0-9.:-]*$/.test(text) && text.length <= 100 && !text.includes('..');
}
