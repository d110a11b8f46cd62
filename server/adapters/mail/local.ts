import { appendFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Mail } from '#server/ports/mail.ts';

const KEPT = 50;

/** Sends nowhere: appends JSON lines to `sink` and, in the demo market only (`show`), to the log and the self-check page. */
export function localMail(options: { sink: string | undefined; log: Logger; show: boolean }): Mail {
  const kept: { to: string; code: string; subject: string; text: string; at: Date }[] = [];
  return {
    name: 'local',
    async send({ to, subject, text, code }) {
      const at = new Date();
      const line = code === '' ? { notice: subject, address: to, text } : { to, subject, text, code };
      if (options.sink !== undefined)
        await appendFile(options.sink, `${JSON.stringify({ ...line, at: at.toISOString() })}\n`);
      if (!options.show) return;
      kept.unshift({ to, code, subject, text, at });
      kept.length = Math.min(kept.length, KEPT);
      options.log.info(code === '' ? `邮件通知 ${to}: ${subject}` : `邮箱验证码 ${to}: ${code}`);
    },
    recent: () => (options.show ? kept : []),
  };
}
