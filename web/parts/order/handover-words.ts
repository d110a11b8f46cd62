interface Turn {
  step: number;
  key: string;
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

/** Steps that ask the viewer to do something at once; the others go on for a while ('正在换绑手机'). */
const ASKED_FOR: ReadonlySet<string> = new Set([
  'credentials',
  'accept',
  'password',
  'question',
  'check',
  'old_devices',
]);

/** The title of a step without its actor: '卖家解除旧设备' is said of the seller. */
const bareTitle = ({ title }: Pick<Turn, 'title'>): string => title.replace(/^(卖家|买家|客服)/, '');

/** The step whose turn it is, as a headline: 正在换绑手机, 请验收, 等卖家解除旧设备. */
export function headline(step: Pick<Turn, 'key' | 'title' | 'actorName' | 'mine'>): string {
  if (!step.mine) return `等${step.actorName.replace('平台', '')}${bareTitle(step)}`;
  if (step.key === 'accept') return '请验收';
  return `${ASKED_FOR.has(step.key) ? '请' : '正在'}${bareTitle(step)}`;
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
