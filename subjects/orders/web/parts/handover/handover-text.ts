/** The progress of a hand-over, in one sentence. */
export function doneText(steps: readonly { state: 'done' | 'current' | 'waiting' }[]): string {
  const done = steps.filter(({ state }) => state === 'done').length;
  return done === steps.length ? `${done} 步全部完成` : `共 ${steps.length} 步，已完成 ${done} 步`;
}
