interface Turn {
  step: number;
  title: string;
  actorName: string;
  state: 'done' | 'current' | 'waiting';
  required: boolean;
  mine: boolean;
}

/** How far a hand-over has come, in one sentence. */
export function doneWords(steps: readonly Pick<Turn, 'state'>[]): string {
  const done = steps.filter(({ state }) => state === 'done').length;
  return done === steps.length ? `${done} 步全部完成` : `共 ${steps.length} 步，已完成 ${done} 步`;
}

/** Whose turn it is in a hand-over, in one sentence. */
export function turnWords(steps: readonly Turn[]): string {
  const open = steps.filter(({ state }) => state === 'current');
  const mine = open.find((step) => step.mine);
  if (mine) return `轮到您：第 ${mine.step} 步 ${mine.title}`;
  const other = open[0];
  if (other) return `等待${other.actorName}：第 ${other.step} 步 ${other.title}`;
  return steps.every(({ state, required }) => state === 'done' || !required) ? '交付步骤已完成' : '付款后开始';
}
