import { hostname } from 'node:os';
import { createTransport } from 'nodemailer';
import type { SmtpConfig } from '#server/config/config-vendors.ts';
import { UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import type { Vendor } from '#server/kernel/vendors.ts';
import type { Mail, MailMessage } from '#server/ports/mail.ts';

const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;

/** The error fields that nodemailer reports. */
interface SmtpFailure {
  code?: unknown;
  /** The underlying system error code, such as ECONNREFUSED. */
  originalCode?: unknown;
  timeoutType?: unknown;
  responseCode?: unknown;
  command?: unknown;
}

/**
 * Our error for a failure. A reply of the server decides: 4xx is temporary, 5xx is permanent, and nothing was sent. Without a reply, nothing
 * was sent only after a failure to connect; if the connection is lost later, the mail may have been accepted.
 */
function errorOf(failure: SmtpFailure): Error {
  const { code, command } = failure;
  if (typeof failure.responseCode === 'number') {
    const reply = `SMTP ${failure.responseCode}`;
    if (code === 'EAUTH') return new VendorRejected('account', reply);
    if (failure.responseCode < 500) return new VendorRejected('busy', reply);
    return new VendorRejected(command === 'MAIL FROM' ? 'account' : 'input', reply);
  }
  if (code === 'EENVELOPE') return new VendorRejected('input', 'EENVELOPE');
  if (code === 'EAUTH' || code === 'ETLS' || code === 'EREQUIRETLS') return new VendorRejected('account', code);
  const isUnreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(
    String(failure.originalCode),
  );
  const { timeoutType } = failure;
  if (code === 'EDNS' || isUnreachable || timeoutType === 'CONNECTION_TIMEOUT' || timeoutType === 'GREETING_TIMEOUT')
    return new VendorUnavailable(`the mail server is not reached: ${String(code)}`);
  return new UnknownResult(`no reply of the mail server: ${String(code)}`);
}

/**
 * Mail by SMTP, a connection for each: nodemailer's pool would send a mail again when a connection breaks, and it may have been accepted
 * before. The brand's name precedes our address, and our number in the Message-ID.
 */
export function smtpMail(
  config: SmtpConfig,
  vendor: Vendor,
  limits: { connectMs?: number; silenceMs?: number } = {},
): Mail {
  const domain = config.from.slice(config.from.indexOf('@') + 1);
  const transport = createTransport({
    // nodemailer greets with a bracketed address if the host name is short, which spam filters count against the mail.
    name: hostname().includes('.') ? hostname() : domain,
    host: config.host,
    port: config.port,
    secure: config.tls === 'implicit',
    requireTLS: config.tls === 'starttls',
    ignoreTLS: config.tls === 'none',
    ...(config.user !== undefined && { auth: { user: config.user, pass: config.password ?? '' } }),
    connectionTimeout: limits.connectMs ?? CONNECT_MS,
    greetingTimeout: limits.connectMs ?? CONNECT_MS,
    socketTimeout: limits.silenceMs ?? SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const send = async ({ to, subject, text, site, ref, unsubscribe }: MailMessage): Promise<void> => {
    try {
      await transport.sendMail({
        from: site === undefined ? config.from : { name: site, address: config.from },
        to: { name: '', address: to },
        subject,
        text,
        headers: {
          // Prevents replies from autoresponders and mailing lists (RFC 3834).
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        ...(ref !== undefined && { messageId: `<${ref}@${domain}>` }),
      });
    } catch (error) {
      throw Object.assign(errorOf(error as SmtpFailure), { cause: error });
    }
  };
  return {
    name: 'smtp',
    async send(message) {
      try {
        await vendor.run('send', () => send(message));
        return 'sent';
      } catch (error) {
        if (error instanceof UnknownResult && !(error instanceof VendorUnavailable)) return 'unknown';
        throw error;
      }
    },
  };
}
