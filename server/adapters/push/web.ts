import { createECDH, createHash } from 'node:crypto';
import library from 'web-push';
import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { Vendor } from '#server/kernel/vendors.ts';
import type { Push, PushTarget } from '#server/ports/push.ts';
import { type Environment, requestVendor } from '../vendor-request.ts';

const TIMEOUT_MS = 8_000;
const LIFE_SECONDS = 86_400;
/** Maximum length of a topic (RFC 8030), in base64url characters. */
const TOPIC_LETTERS = 32;

/**
 * The push services of the known browsers, each a separate vendor: if one cannot be reached (as Google's in China), the others still work.
 * Addresses come from users, so no other host is ever requested.
 */
export const PUSH_SERVICES = [
  { key: 'fcm', label: 'Chrome 推送', host: /^fcm\.googleapis\.com$/ },
  { key: 'mozilla', label: 'Firefox 推送', host: /^updates\.push\.services\.mozilla\.com$/ },
  { key: 'windows', label: 'Edge 推送', host: /^[a-z0-9-]+\.notify\.windows\.com$/ },
  { key: 'apple', label: 'Safari 推送', host: /^([a-z0-9-]+\.)?web\.push\.apple\.com$/ },
] as const;

type Service = (typeof PUSH_SERVICES)[number];

/** The service of a subscription's URL; undefined for any other URL. */
function serviceOf(endpoint: string): Service | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { protocol, hostname, port, username } = new URL(endpoint);
  if (protocol !== 'https:' || port !== '' || username !== '') return undefined;
  return PUSH_SERVICES.find(({ host }) => host.test(hostname));
}

/** Whether a push service accepted a message. Throws VendorRejected for errors that a retry cannot fix, and UnknownResult. */
function outcomeOf(status: number): 'sent' | 'gone' {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  if (status === 429) throw new VendorRejected('busy', `HTTP ${status}`);
  if (status >= 400 && status < 500) throw new VendorRejected(status === 413 ? 'input' : 'account', `HTTP ${status}`);
  throw new UnknownResult(`the push service answered ${status}`);
}

/** Our key pair, base64url, and its contact: an https or mailto address (RFC 8292). */
interface Vapid {
  subject: string;
  publicKey: string;
  privateKey: string;
}

/** The key pair derived from 32 secret bytes. A site without https uses a mail address at its host as the contact. */
function vapidOf(options: { key: Buffer; subject: string }): Vapid {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(options.key);
  const { protocol, hostname } = new URL(options.subject);
  return {
    subject: protocol === 'https:' ? options.subject : `mailto:push@${hostname}`,
    publicKey: pair.getPublicKey('base64url'),
    privateKey: options.key.toString('base64url'),
  };
}

/**
 * A request to a push service: the payload encrypted for one browser (RFC 8291) and signed headers (RFC 8292), with names in
 * lower case. If two messages with the same `tag` are waiting, the service keeps the newer one.
 */
export function pushRequest(
  vapid: Vapid,
  target: PushTarget,
  payload: string,
  tag: string,
): { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> } {
  const { headers, body } = library.generateRequestDetails(
    { endpoint: target.endpoint, keys: { p256dh: target.p256dh, auth: target.auth } },
    payload,
    {
      vapidDetails: vapid,
      TTL: LIFE_SECONDS,
      urgency: 'normal',
      // Tags contain characters that are not allowed in a topic.
      topic: createHash('sha256').update(tag).digest('base64url').slice(0, TOPIC_LETTERS),
    },
  );
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { headers: Object.fromEntries(named), body: new Uint8Array(body ?? Buffer.alloc(0)) };
}

interface Options {
  /** 32 bytes of secret. */
  key: Buffer;
  subject: string;
  environment: Environment;
  /** The vendors of the services, by their key. */
  vendors: ReadonlyMap<string, Vendor>;
}

/**
 * Web Push (RFC 8030), signed with our key. The request is sent by our own client instead of the library, because ours does not follow a
 * redirect to another host.
 */
export function webPush(options: Options): Push {
  const environment = { ...options.environment, limitMs: TIMEOUT_MS };
  const vapid = vapidOf(options);
  return {
    name: 'web',
    publicKey: vapid.publicKey,
    accepts: (endpoint) => serviceOf(endpoint) !== undefined,
    async send(target, message) {
      const service = serviceOf(target.endpoint);
      const vendor = service && options.vendors.get(service.key);
      if (!vendor) return 'gone';
      const { headers, body } = pushRequest(vapid, target, JSON.stringify(message), message.tag);
      return await vendor.run('send', async () => {
        const { status } = await requestVendor(environment, target.endpoint, { method: 'POST', headers, body });
        return outcomeOf(status);
      });
    },
  };
}
