const HOUR_SECONDS = 3600;

/** A time limit of a setting as text: 10 分钟, 24 小时, 1.5 小时. */
export const spanText = (seconds: number): string =>
  seconds < HOUR_SECONDS ? `${Math.round(seconds / 60)} 分钟` : `${Math.round(seconds / 360) / 10} 小时`;
