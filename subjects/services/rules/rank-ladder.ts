import type { Field } from '#subjects/games/contract/games.ts';

/** A rank of a game: the option of its field, and its name. */
export interface Rank {
  value: number;
  label: string;
}

type LadderField = Pick<Field, 'key' | 'kind' | 'options' | 'retired'>;

/** Minimum number of ranks for boosting routes. */
const MIN_RANKS = 3;

/**
 * The ranks of a game from low to high: the options of its field `rank`, or of the first one that ends in `_rank`;
 * empty without such a field.
 */
export function ladderOf(fields: readonly LadderField[]): Rank[] {
  const fitting = fields.filter(({ kind, retired }) => kind === 'single' && !retired);
  const field = fitting.find(({ key }) => key === 'rank') ?? fitting.find(({ key }) => key.endsWith('_rank'));
  const ranks = (field?.options ?? []).flatMap(({ v, label }) => (typeof v === 'number' ? [{ value: v, label }] : []));
  return ranks.length < MIN_RANKS ? [] : ranks;
}

/** The start and target rank, by their values. */
export interface Route {
  from: number;
  to: number;
}

/** Whether both ranks are on the ladder, the second above the first. */
export function isRoute(ladder: readonly Rank[], { from, to }: Route): boolean {
  const placeOf = (rank: number): number => ladder.findIndex(({ value }) => value === rank);
  const low = placeOf(from);
  return low >= 0 && low < placeOf(to);
}

/** A route as text; '' when a rank is not on the ladder. */
export function routeText(ladder: readonly Rank[], { from, to }: Route): string {
  const [low, high] = [from, to].map((rank) => ladder.find(({ value }) => value === rank)?.label);
  return low !== undefined && high !== undefined ? `${low} 打到 ${high}` : '';
}
