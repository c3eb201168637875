import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** The request that a ceremony answers. A test of an attack deviates from what the server asked for. */
interface Asked {
  readonly challenge: string;
  readonly origin: string;
  readonly host: string;
  /** The device has verified its user. */
  readonly verified?: boolean;
  readonly counter?: number;
}

const USED = 0x01;
const VERIFIED = 0x04;
const NEW_KEY = 0x40;

/** A passkey in memory (ES256, no attestation), which answers any request. */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** The result of `navigator.credentials.create()`. */
  made(asked: Asked): object {
    const id = Buffer.from(this.id, 'base64url');
    const key = new Uint8Array(isoCBOR.encode(this.#publicKey()));
    const head = Buffer.concat([Buffer.alloc(16), lengthOf(id), id, key]);
    const authData = Buffer.concat([authenticatorData(asked, NEW_KEY), head]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]) as Parameters<typeof isoCBOR.encode>[0];
    return this.#credential({
      clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The result of `navigator.credentials.get()`. */
  answers(asked: Asked): object {
    const authData = authenticatorData(asked, 0);
    const client = clientData('webauthn.get', asked);
    const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
    });
  }

  #credential(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  /** The public key in COSE format (RFC 9053, 7.1.1). */
  #publicKey() {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    return new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]) as Parameters<typeof isoCBOR.encode>[0];
  }
}

function authenticatorData({ host, verified = true, counter = 0 }: Asked, flags: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const all = flags + USED + (verified ? VERIFIED : 0);
  return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([all]), count]);
}

function clientData(type: string, { challenge, origin }: Asked): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}
