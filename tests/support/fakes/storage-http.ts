/** Shared code of the fakes of object storages: a loopback server, forms read as a storage reads them, and a look at the bytes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Stored {
  body: Buffer;
  type: string;
}

export interface Fake {
  url: string;
  objects: Map<string, Stored>;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void | Promise<void>;

/** Listens on a free port of the loopback. */
export async function listen(handler: Handler): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => handler(request, body, response))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

export interface PostedForm {
  fields: Map<string, string>;
  file: { body: Buffer; type: string } | undefined;
}

/** Reads a multipart body; what follows the file is not looked at, as storages do not. */
export async function readForm(request: IncomingMessage, body: Buffer): Promise<PostedForm> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();
  const fields = new Map<string, string>();
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.set(name, value);
    else return { fields, file: { body: Buffer.from(await value.arrayBuffer()), type: value.type } };
  }
  return { fields, file: undefined };
}

/** The type that the bytes themselves show. */
export function sniffed(body: Buffer): string {
  if (body.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return 'image/png';
  if (body.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (body.subarray(0, 4).toString('latin1') === 'RIFF') return 'image/webp';
  return 'text/plain';
}
