import { createECDH, createHash } from 'node:crypto';
import library from 'web-push';
import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { Vendor } from '#server/kernel/vendors.ts';
import type { Push, PushTarget } from '#server/ports/push.ts';
import { type Environment, requestVendor } from '../vendor-request.ts';

const TIMEOUT_MS = 8_000;
const LIFE_SECONDS = 86_400;
/** What a topic may hold (RFC 8030): this many letters of base64url. */
const TOPIC_LETTERS = 32;

/**
 * The push services of the browsers there are, each a vendor of its own: where one is not reachable (as Google's in China) the others are.
 * Addresses come from users, so no other host is ever asked.
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

/** Whether a push service took a message. Throws VendorRejected for what a repetition does not mend, and UnknownResult. */
function outcomeOf(status: number): 'sent' | 'gone' {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  if (status === 429) throw new VendorRejected('busy', `HTTP ${status}`);
  if (status >= 400 && status < 500) throw new VendorRejected(status === 413 ? 'input' : 'account', `HTTP ${status}`);
  throw new UnknownResult(`the push service answered ${status}`);
}

/** Our key pair, base64url, and who answers for it: an https or mailto address (RFC 8292). */
interface Vapid {
  subject: string;
  publicKey: string;
  privateKey: string;
}

/** The key pair that 32 bytes of secret stand for. A site without https is named by a mail address of its host. */
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
 * What is sent to a push service: the payload encrypted for one browser (RFC 8291) and signed headers (RFC 8292), their names in
 * lower case. Of two waiting messages with one `tag` the service keeps the newer.
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
      // Tags hold signs that a topic may not.
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
 * Pushes by the protocol of the web (RFC 8030), signed by a key of ours. Requested by our own client and not by the library: it follows no
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
