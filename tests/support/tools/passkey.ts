/** A software authenticator: an ES256 passkey that answers the options of the server as a browser and its authenticator would. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** CBOR of the few shapes that an attestation has. */
function cbor(value: number | string | Buffer | readonly (readonly [number | string, unknown])[]): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = (value as readonly (readonly [number | string, never])[]).flatMap(([key, one]) => [
    cbor(key),
    cbor(one),
  ]);
  return Buffer.concat([head(5, value.length), ...parts]);
}

/** Data that a page at another origin, or an authenticator without its owner, would send. */
export interface Faults {
  origin?: string;
  /** Without PIN or fingerprint. */
  isUnverified?: boolean;
  /** The counter of a copy that is behind. */
  counter?: number;
}

/** A passkey for pages of one origin. */
export function softPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  const clientData = (type: string, { challenge }: Options, faults: Faults): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: faults.origin ?? origin, crossOrigin: false }));
  const authData = (rpId: string, faults: Faults, attested = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(faults.counter ?? ++counter);
    const flags = 0x01 | (faults.isUnverified ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  };
  const text = id.toString('base64url');
  const common = { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} };
  return {
    /** The answer to options of a registration. */
    create(json: string, faults: Faults = {}): string {
      const options = JSON.parse(json) as Options;
      const key = cbor([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const attestation = cbor([
        ['fmt', 'none'],
        ['attStmt', []],
        ['authData', authData(options.rp?.id ?? '', faults, attested)],
      ]);
      const clientDataJSON = clientData('webauthn.create', options, faults).toString('base64url');
      const response = {
        clientDataJSON,
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      };
      return JSON.stringify({ ...common, response });
    },
    /** The answer to options of a log-in or a step-up. */
    get(json: string, faults: Faults = {}): string {
      const options = JSON.parse(json) as Options;
      const data = clientData('webauthn.get', options, faults);
      const authenticatorData = authData(options.rpId ?? '', faults);
      const signature = createSign('sha256').update(authenticatorData).update(sha256(data)).sign(privateKey);
      const response = {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      };
      return JSON.stringify({ ...common, response });
    },
  };
}
