import { appendFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import type { Sms } from '#server/ports/sms.ts';

const MAX_RECENT = 50;

/**
 * Sends nothing: appends JSON lines to `sink` and, in the demo market and in a trial (`shownAt`), shows messages on that page. Neither
 * number nor code is logged.
 */
export function localSms(options: { sink: string | undefined; log: Logger; shownAt: string | undefined }): Sms {
  const recentMessages: { phone: string; code: string; purpose: string; text: string; at: Date }[] = [];
  return {
    name: 'local',
    async send({ phone, code, purpose, text = '' }) {
      const at = new Date();
      // Tests look for a phone's last line when reading codes, so a notice has neither `phone` nor `code`.
      const line = code === '' ? { notice: purpose, to: phone, text } : { phone, code, purpose };
      if (options.sink !== undefined)
        await appendFile(options.sink, `${JSON.stringify({ ...line, at: at.toISOString() })}\n`, { mode: 0o600 });
      if (options.shownAt === undefined) return 'sent';
      recentMessages.unshift({ phone, code, purpose, text, at });
      recentMessages.length = Math.min(recentMessages.length, MAX_RECENT);
      options.log.info(
        { to: maskPhone(phone), purpose },
        code === '' ? `短信通知，内容见 ${options.shownAt}` : `短信验证码，见 ${options.shownAt}`,
      );
      return 'sent';
    },
    recent: () => (options.shownAt !== undefined ? recentMessages : []),
  };
}
