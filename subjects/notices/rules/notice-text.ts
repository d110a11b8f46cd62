/** Texts of notices by channel: available placeholders, validation, and examples for the preview. */

export const NOTICE_TITLE_MAX = 60;
export const NOTICE_BODY_MAX = 300;
const VALUE_MAX = 80;

export const noticeChannels = ['site', 'wechat', 'sms', 'email', 'push'] as const;
export type NoticeChannel = (typeof noticeChannels)[number];
/** Channels by which staff can send a text to themselves: to a number, an address, or the devices of the user with a phone number. */
export const trialChannels = ['sms', 'email', 'wechat', 'push'] as const satisfies readonly NoticeChannel[];
export type TrialChannel = (typeof trialChannels)[number];
export const noticeChannelNames: Readonly<Record<NoticeChannel, string>> = {
  site: '站内',
  wechat: '微信',
  sms: '短信',
  email: '邮件',
  push: '浏览器',
};

/** The maximum length of a text in a channel; a longer text is cut with an ellipsis after filling. */
export const noticeTextMax: Readonly<Record<NoticeChannel, { title: number; body: number }>> = {
  site: { title: NOTICE_TITLE_MAX, body: NOTICE_BODY_MAX },
  wechat: { title: 40, body: 120 },
  sms: { title: 20, body: 120 },
  email: { title: NOTICE_TITLE_MAX, body: NOTICE_BODY_MAX },
  push: { title: 40, body: 120 },
};

/** The number of a text at the SMS vendor: 'SMS_123456789' at Aliyun, '1234567' at Tencent. */
export const smsTemplatePattern = /^[A-Za-z0-9_-]{3,40}$/;

const PLACEHOLDER = /\{([A-Za-z]{1,20})\}/g;

export const cutText = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

/** The placeholders of a text, each once. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')),
];

/** Fills the {name} placeholders of a text; one without a value becomes empty. */
export const fillText = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(PLACEHOLDER, (_, name: string) => cutText(values[name] ?? '', VALUE_MAX));

/** The filled body of a notice, without the double full stop that joining two sentences can produce. */
export const fillBody = (template: string, values: Readonly<Record<string, string>>): string =>
  cutText(fillText(template, values).replace(/([。！？])。/g, '$1'), NOTICE_BODY_MAX);

const SAMPLES: Readonly<Record<string, string>> = {
  goods: '王者荣耀 V10 账号 典藏 3 款',
  goodsSn: 'WZ0012345',
  orderSn: '26112400000001',
  amount: '288.00',
  deadline: '11-25 18:00',
  what: '发货',
  text: '请尽快处理。',
  step: '2',
  stepTitle: '换绑手机',
  minutes: '30',
  reason: '图片不清晰',
  name: '小游',
  device: 'Windows 电脑',
  region: '广东 深圳',
  time: '11-24 09:30',
  level: '3',
  sn: 'W26112400000001',
  count: '3',
  after: '超时后买家可以取消订单',
  site: '游市',
  code: '482913',
  erase: '3',
  sellerId: '10086',
};

/** Example values for the preview of a text. */
export const sampleValues = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, SAMPLES[name] ?? '示例']));

/**
 * Why a text of a notice cannot be saved; null when it can. `allowed` are the placeholders that its kind fills; `max` is the channel's limit
 * for this part.
 */
export function noticeTextProblem(text: string, allowed: readonly string[], max: number): string | null {
  const wrong = placeholdersOf(text).find((name) => !allowed.includes(name));
  const list = allowed.length === 0 ? '这类通知没有变量' : `可用：${allowed.map((name) => `{${name}}`).join('、')}`;
  if (wrong !== undefined) return `没有变量 {${wrong}}；${list}`;
  if (/[{}]/.test(text.replace(PLACEHOLDER, ''))) return `花括号只用于变量，成对书写；${list}`;
  return text.length > max ? `这个渠道最多 ${max} 个字，现在 ${text.length} 个` : null;
}
