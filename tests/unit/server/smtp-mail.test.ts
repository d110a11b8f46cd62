/** Mail against a real SMTP server on loopback: log-in, replies for later and for good, silence, and no mail twice. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { smtpMail } from '#server/adapters/mail/smtp.ts';
import { VendorUnavailable } from '#server/kernel/errors.ts';
import { createVendorRegistry } from '#server/kernel/vendors.ts';

const received: string[] = [];
const greetings: string[] = [];
/** How the server ends a mail: a reply, or silence after it was accepted. */
let ending: number | 'silence' = 250;
let port = 0;
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  // A name of the client is of no use here, and where there is no name server the greeting would wait for it.
  disableReverseLookup: true,
  onAuth: (auth, _session, done) =>
    auth.password === 'right' ? done(null, { user: 'me' }) : done(new Error('no such password')),
  onRcptTo({ address }, session, done) {
    greetings.push(session.hostNameAppearsAs);
    if (address.startsWith('nobody')) done(Object.assign(new Error('no such user'), { responseCode: 550 }));
    else if (address.startsWith('later')) done(Object.assign(new Error('try later'), { responseCode: 450 }));
    else done();
  },
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      received.push(Buffer.concat(chunks).toString());
      if (ending === 250) done();
      else if (ending !== 'silence') done(Object.assign(new Error('not now'), { responseCode: ending }));
    });
  },
});

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  port = (server.server.address() as AddressInfo).port;
});
beforeEach(() => {
  ending = 250;
  received.length = 0;
});
afterAll(async () => await new Promise<void>((resolve) => server.close(resolve)));

function mailOf({ silenceMs = 10_000, ...more }: { password?: string; port?: number; silenceMs?: number } = {}) {
  const vendor = createVendorRegistry().add({ key: 'mail', label: '', subject: '', state: 'on' });
  const config = { kind: 'smtp', host: '127.0.0.1', port, tls: 'none', user: 'me', password: 'right' } as const;
  return smtpMail({ ...config, from: 'no-reply@example.com', ...more }, vendor, { connectMs: 10_000, silenceMs });
}
const mail = (to = 'a@example.com') => ({ to, subject: '主题', text: '正文', code: '', site: '游市', ref: 'n12' });
const thrown = async (work: Promise<unknown>): Promise<unknown> => await work.catch((error: unknown) => error);

it('sends with the brand before our address and our number as Message-ID', async () => {
  expect(await mailOf().send(mail())).toBe('sent');
  expect(received).toHaveLength(1);
  expect(received[0]).toContain('<no-reply@example.com>');
  expect(received[0]).toContain('Message-ID: <n12@example.com>');
});

it('marks every mail as automatic, and a notice with the address that ends such mails', async () => {
  await mailOf().send(mail());
  expect(received[0]).toContain('Auto-Submitted: auto-generated');
  expect(received[0]).not.toContain('List-Unsubscribe');
  await mailOf().send({ ...mail(), unsubscribe: 'https://example.com/api/comm/mailUnsubscribe/5~order.paid~x' });
  const notice = received[1]?.replaceAll(/\r\n\s+/g, ' ');
  expect(notice).toMatch(/List-Unsubscribe: +<https:\/\/example\.com\/api\/comm\/mailUnsubscribe\/5~order\.paid~x>/);
  expect(notice).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(greetings.every((name) => name.includes('.') && !name.startsWith('['))).toBe(true);
});

it('distinguishes permanent, temporary and own errors', async () => {
  expect(await thrown(mailOf().send(mail('nobody@example.com')))).toMatchObject({
    kind: 'input',
    vendorCode: 'SMTP 550',
  });
  expect(await thrown(mailOf().send(mail('later@example.com')))).toMatchObject({
    kind: 'busy',
    vendorCode: 'SMTP 450',
  });
  expect(await thrown(mailOf({ password: 'wrong' }).send(mail()))).toMatchObject({ kind: 'account' });
  ending = 421;
  expect(await thrown(mailOf().send(mail()))).toMatchObject({ kind: 'busy' });
  expect(await thrown(mailOf({ port: 65_533 }).send(mail()))).toBeInstanceOf(VendorUnavailable);
});

it('reports a mail without a reply as unknown, and sends it once', async () => {
  ending = 'silence';
  expect(await mailOf({ silenceMs: 1_000 }).send(mail())).toBe('unknown');
  expect(received).toHaveLength(1);
});
