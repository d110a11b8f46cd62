/** Matches of leagues: states, formats, and valid scores. */

export const matchStatuses = ['waiting', 'playing', 'over', 'postponed'] as const;
export type MatchStatus = (typeof matchStatuses)[number];
export const matchStatusNames: Readonly<Record<MatchStatus, string>> = {
  waiting: '未开始',
  playing: '进行中',
  over: '已结束',
  postponed: '延期',
};

/** Possible numbers of games of a match; the majority of them decides it. */
export const MATCH_FORMATS: readonly number[] = [1, 3, 5, 7];

/** The number of games needed to win a match. */
export const gamesToWin = (bestOf: number): number => (bestOf + 1) / 2;

export interface MatchScore {
  homeId: number;
  awayId: number;
  bestOf: number;
  homeScore: number;
  awayScore: number;
  status: MatchStatus;
}

/** The error in a match, with the field and the permitted value; null for a valid match. */
export function matchFault(match: MatchScore): { field: keyof MatchScore; text: string } | null {
  const { homeId, awayId, bestOf, homeScore, awayScore, status } = match;
  if (homeId === awayId) return { field: 'awayId', text: '主队和客队不能是同一支战队' };
  const most = gamesToWin(bestOf);
  const tooMany = homeScore > most ? 'homeScore' : awayScore > most ? 'awayScore' : null;
  if (tooMany) return { field: tooMany, text: `BO${bestOf} 最多赢 ${most} 局` };
  if (homeScore === most && awayScore === most) return { field: 'awayScore', text: `不可能两队都赢满 ${most} 局` };
  const isDecided = homeScore === most || awayScore === most;
  if (status === 'waiting' && homeScore + awayScore > 0)
    return { field: 'status', text: '已经有比分了，请改为进行中、已结束或延期' };
  if (status === 'over' && !isDecided)
    return {
      field: homeScore >= awayScore ? 'homeScore' : 'awayScore',
      text: `已结束的 BO${bestOf} 要有一队赢满 ${most} 局`,
    };
  if (status !== 'over' && isDecided) return { field: 'status', text: `已有一队赢满 ${most} 局，请改为已结束` };
  return null;
}
