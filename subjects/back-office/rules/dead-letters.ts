/**
 * Jobs and events that failed their last attempt: open ones are pending for staff, the others were run again or
 * discarded.
 */
export const deadLetterStates = ['open', 'decided'] as const;

export const deadLetterStateNames: Readonly<Record<(typeof deadLetterStates)[number], string>> = {
  open: '待处理',
  decided: '已处理',
};

export const deadLetterOutcomeNames: Readonly<Record<string, string>> = { again: '已重新执行', discarded: '已放弃' };
