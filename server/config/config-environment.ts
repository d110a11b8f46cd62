/** Decides which environment variables are settings of this market. */

/** A prefix that makes a setting apply to this market only: YOUSHI_MAIL overrides MAIL. */
const PREFIX = 'YOUSHI_';
const MIN_SECRET = 32;

const oneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);

/**
 * Names that log-ins, shells and other programs also set (PAM sets MAIL, csh sets HOST), with the values meant for this market. Any other
 * value is ignored, since another program set it; with the prefix every value is checked.
 */
const SHARED: Readonly<Record<string, { isOwn: (value: string) => boolean; permitted: string }>> = {
  MAIL: { isOwn: oneOf('stand-in', 'off', 'smtp'), permitted: 'stand-in、off、smtp' },
  SMS: {
    isOwn: (value) => value.split(',').every((part) => /^(?:stand-in|off|aliyun|tencent)$/.test(part.trim())),
    permitted: 'stand-in、off、aliyun、tencent',
  },
  HOST: {
    isOwn: (value) => /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9a-f]*:[0-9a-f:.]*\]?)$/i.test(value),
    permitted: 'IP 地址或 localhost',
  },
  ROLE: { isOwn: oneOf('all', 'web', 'chat', 'worker'), permitted: 'all、web、chat、worker' },
  SECRET: { isOwn: (value) => value.length >= MIN_SECRET, permitted: `至少 ${MIN_SECRET} 个字符` },
  PORT: { isOwn: (value) => /^\d{1,5}$/.test(value), permitted: '0 到 65535 的整数' },
  LOG_LEVEL: {
    isOwn: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    permitted: 'fatal、error、warn、info、debug、trace、silent',
  },
  DEV: { isOwn: oneOf('0', '1', 'true', 'false'), permitted: '0、1' },
};

const isForeign = (name: string, value: string): boolean => SHARED[name] !== undefined && !SHARED[name].isOwn(value);

/**
 * The settings of an environment by plain name; the prefixed variable wins. Omits empty ones (`SECRET=`, as in
 * deploy/env.example), which count as not set, and values of shared names that belong to other programs.
 */
export function ownSettings(source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings: NodeJS.ProcessEnv = {};
  for (const [name, value = ''] of Object.entries(source))
    if (value !== '' && !name.startsWith(PREFIX) && !isForeign(name, value)) settings[name] = value;
  for (const [name, value = ''] of Object.entries(source))
    if (value !== '' && name.startsWith(PREFIX)) settings[name.slice(PREFIX.length)] = value;
  return settings;
}

/** A Chinese sentence for each variable that was ignored because its value belongs to another program. */
export function ignoredSettings(source: NodeJS.ProcessEnv): string[] {
  return Object.entries(SHARED).flatMap(([name, { isOwn, permitted }]) => {
    const value = source[name] ?? '';
    if (value === '' || isOwn(value) || source[PREFIX + name]) return [];
    const shown = name === 'SECRET' ? name : `${name}=${value.slice(0, 60)}`;
    return [`环境变量 ${shown} 不是游市的设置，已忽略；要设定请写 ${PREFIX}${name}（可用的值：${permitted}）`];
  });
}
