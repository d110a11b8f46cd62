import { appendFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Mail } from '#server/ports/mail.ts';

const MAX_RECENT = 50;

/** The first letter of an address and its domain. */
const masked = (address: string): string => address.replace(/^(.).*(?=@)/, '$1***');

/**
 * Sends nothing: appends JSON lines to `sink` and, in the demo market and in a trial (`shownAt`), shows mails on that page. Neither
 * address nor code is logged.
 */
export function localMail(options: { sink: string | undefined; log: Logger; shownAt: string | undefined }): Mail {
  const recentMails: { to: string; code: string; subject: string; text: string; at: Date }[] = [];
  return {
    name: 'local',
    async send({ to, subject, text, code, unsubscribe }) {
      const at = new Date();
      const line =
        code === ''
          ? { notice: subject, address: to, text, ...(unsubscribe !== undefined && { unsubscribe }) }
          : { to, subject, text, code };
      if (options.sink !== undefined)
        await appendFile(options.sink, `${JSON.stringify({ ...line, at: at.toISOString() })}\n`, { mode: 0o600 });
      if (options.shownAt === undefined) return 'sent';
      recentMails.unshift({ to, code, subject, text, at });
      recentMails.length = Math.min(recentMails.length, MAX_RECENT);
      options.log.info(
        { to: masked(to) },
        code === '' ? `邮件通知，内容见 ${options.shownAt}` : `邮箱验证码，见 ${options.shownAt}`,
      );
      return 'sent';
    },
    recent: () => (options.shownAt !== undefined ? recentMails : []),
  };
}
