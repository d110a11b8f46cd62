/** What decides a conversation's place among others. */
export interface Clocked {
  closed: boolean;
  replyTime: string | null;
  stepTime: string | null;
  lastTime: string | null;
}

/** The nearer of a conversation's two clocks; nothing runs in an ended one. */
export const nearest = ({ closed, replyTime, stepTime }: Clocked): number =>
  closed ? Infinity : Math.min(...[replyTime, stepTime].map((at) => (at === null ? Infinity : Date.parse(at))));

/** Sort order: the nearer clock first, then the latest activity, ended conversations last. */
export const byClock = (a: Clocked, b: Clocked): number => {
  const [near, far] = [nearest(a), nearest(b)];
  if (near !== far) return near - far;
  return Number(a.closed) - Number(b.closed) || (b.lastTime ?? '').localeCompare(a.lastTime ?? '');
};
