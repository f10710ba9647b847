/** A project and location of Vertex AI. Express mode has no project, because the key implies it. */
export interface VertexPlace {
  readonly project?: string;
  readonly location: string;
}

/** Locations that span several regions have a different form of endpoint. */
const MULTI_REGIONS: ReadonlySet<string> = new Set(['us', 'eu']);

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
export function vertexBaseUrl({ project, location }: VertexPlace): string {
  if (project === undefined || location === 'global') return 'https://aiplatform.googleapis.com/';
  if (MULTI_REGIONS.has(location)) return `https://aiplatform.${location}.rep.googleapis.com/`;
  return `https://${location}-aiplatform.googleapis.com/`;
}

/** Validates the location strictly, because it becomes part of a host name. */
export function isLocation(text: string): boolean {
  return /^[a-z]+(?:-[a-z0-9]+)*$/.test(text);
}

/** Accepts an id, a number, or the id of a domain-scoped project such as `example.com:tools`. */
export function isProject(text: string): boolean {
  return /^[a-z0-9][a-z0-9.:-]*$/.test(text) && text.length <= 100 && !text.includes('..');
}
