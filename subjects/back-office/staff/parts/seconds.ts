/** A duration as text, from whole seconds; a dash for none. */
export function secondsText(seconds: number | null): string {
  if (seconds === null) return '暂无';
  if (seconds < 60) return `${seconds} 秒`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} 分钟`;
  if (seconds < 86_400) return `${(seconds / 3600).toFixed(1)} 小时`;
  return `${Math.round(seconds / 86_400)} 天`;
}
