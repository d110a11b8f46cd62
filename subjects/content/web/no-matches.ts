/** The message of an empty list of matches, by its filters: a day, a league, both or neither. */
export function noMatches(day: string | null, leagueId: string | null): string {
  if (day !== null) return leagueId === null ? '这一天没有比赛' : '这一天没有这项赛事的比赛';
  return leagueId === null ? '近期没有比赛' : '这项赛事近期没有比赛';
}
