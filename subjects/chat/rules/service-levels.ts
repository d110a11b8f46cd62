/**
 * How long a case of a queue may be pending, in seconds, when the case itself has no deadline (docs/decisions/341). The
 * text is shown to staff.
 */
export const serviceLevels = {
  goods: { seconds: 4 * 3600, text: '4 小时' },
  chat: { seconds: 120, text: '2 分钟' },
  withdrawal: { seconds: 2 * 3600, text: '2 小时' },
  pending: { seconds: 4 * 3600, text: '4 小时' },
  provider: { seconds: 86_400, text: '1 天' },
  trust: { seconds: 86_400, text: '1 天' },
  report: { seconds: 86_400, text: '1 天' },
  content: { seconds: 86_400, text: '1 天' },
  audit: { seconds: 86_400, text: '1 天' },
  cancel: { seconds: 12 * 3600, text: '12 小时' },
} as const;
