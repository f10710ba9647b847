import { editDistance } from './edit-distance.ts';

/** The known names that look most like this one, the nearest first. */
export function nearestNames(name: string, known: Iterable<string>, count: number): string[] {
  const measured = [...known].map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  measured.sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate));
  return measured.slice(0, count).map(({ candidate }) => candidate);
}
