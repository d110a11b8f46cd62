/** Records what goes over the loopback, for the published libraries of vendors to verify. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '#server/adapters/vendor-request.ts';
import { outside } from '#tests/support/fakes/channels.ts';

export interface Recorded {
  method: string;
  /** Path with query, as it was sent. */
  target: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server on the loopback that records requests and gives the response of `respond`; the default is an empty 200. */
export async function startRecorder(
  respond: (request: Recorded, response: ServerResponse) => void = (_, response) => void response.end(),
): Promise<{ url: string; host: string; requests: Recorded[]; close(): Promise<void> }> {
  const requests: Recorded[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const { method = '', url: target = '', headers } = message;
    const request = { method, target, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    respond(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://${host}`, host, requests, close };
}

interface Sent {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** An environment of adapters that also records each request before it is sent. */
export function recordingEnvironment(): { environment: Environment; sent: Sent[] } {
  const sent: Sent[] = [];
  const record: typeof fetch = async (input, init = {}) => {
    sent.push({
      url: new URL(input as string),
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : '',
    });
    return await fetch(input, init);
  };
  return { environment: { ...outside, fetch: record }, sent };
}

/** Texts that signatures of vendors were broken by: signs of URLs and forms, four-byte characters, spaces at the ends. */
export const ODD_TEXTS = [
  '50% + 1 & 2 = 3',
  "~*!'()_-.",
  '“引号” 和 \\ 与 {花括号}',
  '😀𠮷',
  ' 前后空格 ',
  '换\n行',
] as const;
