/**
 * Wrong and missing settings, found before anything is installed or built. Runs on Node 20 without packages, so it repeats what
 * server/config/config.ts accepts for settings that people often get wrong; tests/unit/commands/early-settings.test.ts compares the two. What it cannot judge is
 * left to the checks of the server.
 */

/** Permitted values. */
export const CHOICES = {
  MAIL: ['stand-in', 'off', 'smtp'],
  MAIL_TLS: ['implicit', 'starttls', 'none'],
  REAL_NAME: ['stand-in', 'off', 'aliyun'],
  REAL_NAME_ELEMENTS: ['2', '3'],
  WECHAT_LOGIN: ['stand-in', 'off', 'official-account'],
  OFFICIAL_ACCOUNT: ['stand-in', 'off', 'wechat'],
  LINK_PUSH: ['stand-in', 'off', 'baidu'],
  STORAGE: ['local', 'qiniu', 's3'],
  PICTURE_URLS: ['https', 'http', 'off'],
  ROLE: ['all', 'web', 'chat', 'worker'],
  LOG_LEVEL: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  TRUST_PROXY: ['0', '1', 'true', 'false'],
  SECURE_COOKIES: ['0', '1', 'true', 'false'],
  TRIAL: ['0', '1', 'true', 'false'],
  ACCESS_LOG: ['0', '1'],
};

/** Lowest and highest value. */
export const NUMBERS = {
  PORT: [0, 65_535],
  MAIL_PORT: [1, 65_535],
  DATABASE_POOL: [2, 200],
  SEED_GOODS: [0, 5_000_000],
};

/** How an address begins. */
export const BEGINNINGS = { DATABASE_URL: 'postgres', MIGRATE_DATABASE_URL: 'postgres', DATABASE_READ_URL: 'postgres' };

/** Settings that a choice requires. */
export const NEEDS = [
  { name: 'MAIL', choice: 'smtp', needed: ['MAIL_HOST', 'MAIL_FROM'] },
  {
    name: 'SMS',
    choice: 'aliyun',
    needed: ['ALIYUN_SMS_KEY_ID', 'ALIYUN_SMS_KEY_SECRET', 'ALIYUN_SMS_SIGN', 'ALIYUN_SMS_TEMPLATES'],
  },
  {
    name: 'SMS',
    choice: 'tencent',
    needed: [
      'TENCENT_SMS_SECRET_ID',
      'TENCENT_SMS_SECRET_KEY',
      'TENCENT_SMS_APP_ID',
      'TENCENT_SMS_SIGN',
      'TENCENT_SMS_TEMPLATES',
    ],
  },
  { name: 'REAL_NAME', choice: 'aliyun', needed: ['ALIYUN_ID_KEY_ID', 'ALIYUN_ID_KEY_SECRET'] },
  { name: 'WECHAT_LOGIN', choice: 'official-account', needed: ['WECHAT_APP_ID', 'WECHAT_APP_SECRET'] },
  {
    name: 'OFFICIAL_ACCOUNT',
    choice: 'wechat',
    needed: [
      'WECHAT_APP_ID',
      'WECHAT_APP_SECRET',
      'WECHAT_OA_TITLE',
      'WECHAT_OA_FOLLOW_URL',
      'WECHAT_OA_TOKEN',
      'WECHAT_OA_TEMPLATE',
    ],
  },
  {
    name: 'PAY_PROVIDERS',
    choice: 'alipay',
    needed: ['PAY_ORIGIN', 'ALIPAY_APP_ID', 'ALIPAY_SELLER_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY'],
  },
  {
    name: 'PAY_PROVIDERS',
    choice: 'wechat',
    needed: [
      'PAY_ORIGIN',
      'WECHAT_PAY_MCHID',
      'WECHAT_PAY_APPID',
      'WECHAT_PAY_SERIAL',
      'WECHAT_PAY_PRIVATE_KEY',
      'WECHAT_PAY_V3_KEY',
      'WECHAT_PAY_PUBLIC_KEYS',
    ],
  },
  {
    name: 'STORAGE',
    choice: 'qiniu',
    needed: ['QINIU_ACCESS_KEY', 'QINIU_SECRET_KEY', 'QINIU_BUCKET', 'QINIU_DOMAIN'],
  },
  { name: 'STORAGE', choice: 's3', needed: ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] },
];

/** Settings that a market outside the demo must make, with an example of each. */
const DECISIONS = {
  SECRET: '至少 32 个字符的随机串，例如 openssl rand -base64 48 的输出',
  SITE_URL: '平台站的 https 网址，如 https://www.example.com',
  BACKSTAGE_HOST: '后台自己的域名，如 desk.example.com',
  SECURE_COOKIES: '1（前面须有 TLS）',
  SMS: 'aliyun、tencent 或主备 aliyun,tencent',
  MAIL: 'smtp 或 off',
  REAL_NAME: 'aliyun 或 off',
  WECHAT_LOGIN: 'official-account 或 off',
  OFFICIAL_ACCOUNT: 'wechat 或 off',
  LINK_PUSH: 'baidu 或 off',
  PAY_PROVIDERS: 'alipay、wechat 或 alipay,wechat',
};

/** Names that other programs also set: a value that is not permitted belongs to them (server/config/config-environment.ts). */
const SHARED = new Set(['MAIL', 'SMS', 'HOST', 'ROLE', 'SECRET', 'PORT', 'LOG_LEVEL', 'DEV']);
const SMS = /^(?:stand-in|off|aliyun|tencent)$/;
const MIN_SECRET = 32;
/** YOUSHI_ENV and YOUSHI_USER belong to deploy/run.sh. */
const OF_SCRIPTS = new Set(['ENV', 'USER']);

/** Why a value is not accepted, as the correct value; undefined if it is accepted or not checked here. */
function faultOf(name, value) {
  if (CHOICES[name] && !CHOICES[name].includes(value)) return `应为 ${CHOICES[name].join('、')} 之一`;
  if (NUMBERS[name]) {
    const [least, most] = NUMBERS[name];
    if (!/^\d+$/.test(value) || Number(value) < least || Number(value) > most) return `应为 ${least} 到 ${most} 的整数`;
  }
  if (BEGINNINGS[name] && !value.startsWith(BEGINNINGS[name])) return `应以 ${BEGINNINGS[name]} 开头`;
  if (name === 'SECRET' && value.length < MIN_SECRET) return `至少 ${MIN_SECRET} 个字符`;
  if (name === 'SMS' && !value.split(',').every((part) => SMS.test(part.trim())))
    return '应为 aliyun、tencent（主备写作 aliyun,tencent）、off 或 stand-in';
  return undefined;
}

/** The settings of an environment, each with whether it was given with the prefix. */
function settingsOf(env) {
  const settings = new Map();
  for (const [name, value] of Object.entries(env))
    if (value && !name.startsWith('YOUSHI_')) settings.set(name, { value, isPrefixed: false });
  for (const [name, value] of Object.entries(env))
    if (value && name.startsWith('YOUSHI_')) settings.set(name.slice(7), { value, isPrefixed: true });
  return settings;
}

/** The settings given as YOUSHI_NAME, by their plain names, for programs that know only these. */
export const prefixedSettings = (env) =>
  Object.fromEntries(
    [...settingsOf(env)]
      .filter(([name, { isPrefixed }]) => isPrefixed && !OF_SCRIPTS.has(name))
      .map(([name, { value }]) => [name, value]),
  );

/** Whether an environment describes a trial: a market outside the demo whose vendors are stand-ins. */
export const isTrial = (env) => ['1', 'true'].includes({ ...env, ...prefixedSettings(env) }.TRIAL);

/** Settings that a trial must contain; SECURE_COOKIES only where it is reached by TLS, which the server checks. */
const DECISIONS_OF_TRIAL = new Set(['SECRET', 'SITE_URL', 'BACKSTAGE_HOST']);

/** Whether an environment describes a market outside the demo. */
export function isProduction(env) {
  const { DEMO, DATABASE_URL, NODE_ENV } = { ...env, ...prefixedSettings(env) };
  const isDemo = DEMO ? ['1', 'true'].includes(DEMO) : !DATABASE_URL && !isTrial(env);
  return !isDemo && (NODE_ENV || 'production') === 'production';
}

/** One Chinese sentence for each setting that is wrong, or missing for what others choose. */
export function earlyProblems(env) {
  const problems = [];
  /** @type {Map<string, string>} */
  const settings = new Map();
  for (const [name, { value, isPrefixed }] of settingsOf(env)) {
    const fault = faultOf(name, value);
    if (fault === undefined) settings.set(name, value);
    else if (isPrefixed || !SHARED.has(name)) {
      const shown = /SECRET|_URL$/.test(name) ? name : `${name}=${value.slice(0, 80)}`;
      problems.push(`${shown} ${fault}`);
    }
  }
  for (const { name, choice, needed } of NEEDS) {
    const chosen = (settings.get(name) ?? '').split(',').map((part) => part.trim());
    const missing = needed.filter((one) => !settings.has(one));
    if (chosen.includes(choice) && missing.length > 0)
      problems.push(`${name}=${settings.get(name)} 还需要 ${missing.join('、')}`);
  }
  // The id of a service account alone switches the log-in on.
  const isDecided = (name) => settings.has(name) || (name === 'WECHAT_LOGIN' && settings.has('WECHAT_APP_ID'));
  if (isProduction(env))
    for (const [name, example] of Object.entries(DECISIONS))
      if (
        (!isTrial(env) || DECISIONS_OF_TRIAL.has(name)) &&
        !isDecided(name) &&
        !problems.some((problem) => problem.startsWith(name))
      )
        problems.push(`没有设 ${name}：${example}`);
  return problems;
}
