import { z } from 'zod';

/** Settings of the IM provider (docs/CHAT.md). */
export const imProviderEnv = {
  RONGCLOUD_APP_KEY: z.string().min(1).optional(),
  RONGCLOUD_APP_SECRET: z.string().min(1).optional(),
  RONGCLOUD_API: z.string().default('https://api.rong-api.com,https://api-b.rong-api.com'),
  RONGCLOUD_CONNECT: z
    .string()
    .default('https://*.ronghub.com,wss://*.ronghub.com,https://*.rong-edge.com,wss://*.rong-edge.com'),
  RONGCLOUD_DISTS: z.string().default('*'),
};

const schema = z.object(imProviderEnv);

/** RongCloud for the users of some distributors; `connect` lists the hosts that their chat page may connect to. */
export interface ImProviderConfig {
  readonly appKey: string;
  readonly secret: string;
  readonly hosts: readonly string[];
  readonly dists: readonly string[];
  readonly connect: readonly string[];
}

/** Items of a comma-separated list. */
function splitList(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** RongCloud's settings; undefined when none are set. Throws an Error with a Chinese message when only one of key and secret is set. */
export function imProviderOf(e: z.output<typeof schema>): ImProviderConfig | undefined {
  const { RONGCLOUD_APP_KEY: appKey, RONGCLOUD_APP_SECRET: secret } = e;
  if (appKey === undefined && secret === undefined) return undefined;
  if (appKey === undefined || secret === undefined)
    throw new Error('设置有误：RONGCLOUD_APP_KEY 与 RONGCLOUD_APP_SECRET 须同时设置');
  return {
    appKey,
    secret,
    hosts: splitList(e.RONGCLOUD_API).map((host) => host.replace(/\/$/, '')),
    dists: splitList(e.RONGCLOUD_DISTS),
    connect: splitList(e.RONGCLOUD_CONNECT),
  };
}
