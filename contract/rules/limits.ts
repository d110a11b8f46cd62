/** Constants shared by browser and server (product.md 9). Times in ms. */
export const LOGIN_POLL_MS = 1500;
export const TOP_UP_POLL_MS = 5000;
export const TOP_UP_MAX_POLLS = 60;
export const TOAST_MS = 3000;
/** Minimum time that a loading indicator stays visible, so that it does not flash. */
export const SPINNER_MS = 400;
export const UNREAD_CLEAR_MS = 500;
/** Pause between several pasted pictures. */
export const IMAGE_STAGGER_MS = 50;

export const CENTER_PAGE_SIZE = 5;
export const CHAT_PAGE_SIZE = 50;
export const WIDGET_PAGE_SIZE = 3;
export const HISTORY_BATCH = 20;
/** The widget lists only orders of this type. */
export const WIDGET_ORDER_TYPE = 50;

export const FOOTER_IMAGES_MAX = 9;
export const UNREAD_MAX = 99;
export const REMINDER_SECONDS = 5;
export const REMINDER_TOO_SOON = '请仔细阅读弹窗内容';
export const SEARCH_HISTORY_GAMES = 2;
export const HOT_SEARCHES = 5;
/** A game list shorter than this is requested again. */
export const GAME_LIST_MIN = 30;

/** 10 MB as 10,000 KB of 1,024 bytes: a file that its own system lists as 10,001 KB exceeds the documented limit. */
export const IMAGE_MAX_BYTES = 10_000 * 1024;
export const IMAGE_QUALITY = 0.5;
export const IMAGE_RULE = 'imageView2/0/q/75';
export const IMAGE_TYPES = ['image/png', 'image/jpeg'] as const;
export const LAZY_LOAD_RETRIES = 2;

/** '99+' if the number does not fit into the badge. */
export function unreadText(count: number): string {
  return count > UNREAD_MAX ? `${UNREAD_MAX}+` : String(count);
}

/**
 * Types that do not identify a picture's format: WeChat on Android declares none, others a general one, an alias of JPEG or PNG, or that of
 * the original.
 */
const VAGUE_TYPES = [
  '',
  'application/octet-stream',
  'image/*',
  'image/jpg',
  'image/pjpeg',
  'image/pipeg',
  'image/jfif',
  'image/x-png',
  'image/apng',
  'image/vnd.mozilla.apng',
  // Phones convert to JPEG but keep the name; for real HEIC files the server explains how to convert them.
  'image/heic',
  'image/heif',
];

/**
 * Why a picture cannot be sent (product.md 5); null when it can. `type` is declared by the browser; if it is empty the server
 * checks only the bytes. `bytes` is its size.
 */
export function imageProblem(type: string, bytes: number): string | null {
  if (!VAGUE_TYPES.includes(type) && !(IMAGE_TYPES as readonly string[]).includes(type))
    return '图片格式错误，请上传JPEG/JPG/PNG';
  return bytes > IMAGE_MAX_BYTES ? '图片大小不能超过10M' : null;
}
