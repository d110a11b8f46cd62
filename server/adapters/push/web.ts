import { createECDH, createHash } from 'node:crypto';
import library from 'web-push';
import type { Push, PushTarget } from '#server/ports/push.ts';

const TIMEOUT_MS = 8_000;
const LIFE_SECONDS = 86_400;
/** What a topic may hold (RFC 8030): this many letters of base64url. */
const TOPIC_LETTERS = 32;

/** The push services of the browsers there are. Addresses come from users, so no other host is ever asked. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
  /^([a-z0-9-]+\.)?web\.push\.apple\.com$/,
];

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

/** Pushes by the protocol of the web (RFC 8030), signed by a key of ours. `key` is 32 bytes of secret. */
export function webPush(options: { key: Buffer; subject: string; fetch?: typeof fetch }): Push {
  // Asked by fetch and not by the library: it follows no redirect to another host and a test can stand in.
  const ask = options.fetch ?? fetch;
  const vapid = vapidOf(options);
  return {
    name: 'web',
    publicKey: vapid.publicKey,
    accepts(endpoint) {
      if (!URL.canParse(endpoint)) return false;
      const { protocol, hostname, port, username } = new URL(endpoint);
      return protocol === 'https:' && port === '' && username === '' && SERVICES.some((host) => host.test(hostname));
    },
    async send(target, message) {
      const { headers, body } = pushRequest(vapid, target, JSON.stringify(message), message.tag);
      const response = await ask(target.endpoint, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers,
        body,
      });
      if (response.status === 404 || response.status === 410) return 'gone';
      if (!response.ok) throw new Error(`the push service answered ${response.status}`);
      return 'sent';
    },
  };
}
