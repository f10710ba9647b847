import type { Import } from './imports.ts';

/** The imports between the entries of one folder. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The folders whose parts are listed. Others are small enough to be read directly. */
const SHOWN = ['extension', 'extension/runtime', 'extension/vscode', 'extension/protocol', 'webview'];

/**
 * The graph of each folder: its files and folders, and their imports of each other. An import counts in the folder
 * where the paths of the two files diverge, so a folder may share a file with its siblings without being part of a
 * cycle.
 */
export function graphsOf(imports: readonly Import[]): ReadonlyMap<string, Graph> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const { from, target } of imports) {
    if (!/^(extension|webview)\//.test(target) || from === target) continue;
    const [here, there] = [from.split('/'), target.split('/')];
    const parting = here.findIndex((name, index) => name !== there[index]);
    const folder = here.slice(0, parting).join('/');
    const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
    graphs.set(folder, graph);
    const [user = '', used = ''] = [here[parting], there[parting]];
    graph.set(user, (graph.get(user) ?? new Set()).add(used));
    if (!graph.has(used)) graph.set(used, new Set());
  }
  return graphs;
}

/** One cycle in the graph, as the entries that lead back to the first one; undefined if there is none. */
export function circleIn(graph: Graph): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (entry: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(entry)) return [...way.slice(way.indexOf(entry)), entry];
    if (done.has(entry)) return undefined;
    for (const used of graph.get(entry) ?? []) {
      const circle = visit(used, [...way, entry]);
      if (circle) return circle;
    }
    done.add(entry);
    return undefined;
  };
  for (const entry of graph.keys()) {
    const circle = visit(entry, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The folders and their imports, highest first. */
export function folderGraphText(imports: readonly Import[]): string {
  const graphs = graphsOf(imports);
  const parts = SHOWN.map((folder) => {
    const graph = foldersOf(graphs.get(folder) ?? new Map());
    const width = Math.max(...[...graph.keys()].map((name) => name.length));
    const lines = [...graph]
      .sort(([a], [b]) => heightOf(graph, b) - heightOf(graph, a) || a.localeCompare(b))
      .map(([name, used]) => `  ${name.padEnd(width)}  ${[...used].sort().join(' ')}`.trimEnd());
    return [`${folder}/`, ...lines].join('\n');
  });
  return ['```text', parts.join('\n\n'), '```'].join('\n');
}

/** Without files: those at the root of a folder compose it, or are vocabulary that all of it shares. */
function foldersOf(graph: Graph): Graph {
  const isFolder = (name: string): boolean => !name.endsWith('.ts');
  return new Map(
    [...graph].filter(([name]) => isFolder(name)).map(([name, used]) => [name, new Set([...used].filter(isFolder))]),
  );
}

function heightOf(graph: Graph, name: string): number {
  return 1 + Math.max(0, ...[...(graph.get(name) ?? [])].map((used) => heightOf(graph, used)));
}
