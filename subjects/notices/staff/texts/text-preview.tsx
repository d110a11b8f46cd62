import {
  cutText,
  fillBody,
  fillText,
  type NoticeChannel,
  noticeTextMax,
  sampleValues,
} from '../../rules/notice-text.ts';

/** Letters of an SMS; a longer one is billed as several of 67. */
const SMS_LETTERS = 70;
const SMS_PART = 67;

/** A text with example values, as the channel's reader sees it. */
export function TextPreview({
  channel,
  placeholders,
  title,
  body,
  site,
}: {
  channel: NoticeChannel;
  placeholders: readonly string[];
  title: string;
  body: string;
  site: string;
}) {
  const values = sampleValues(placeholders);
  const head = cutText(fillText(title, values), noticeTextMax[channel].title);
  const text = fillBody(body, values);
  if (channel === 'sms') {
    const sms = `【${site}】${head}：${text}`;
    const parts = sms.length <= SMS_LETTERS ? 1 : Math.ceil(sms.length / SMS_PART);
    return (
      <>
        <p className="rounded-card rounded-bl-none bg-sunken p-3 text-14 leading-6 break-words">{sms}</p>
        <p className="text-12 text-ink-3">
          {sms.length} 个字，按 {parts} 条计费
        </p>
      </>
    );
  }
  return (
    <div className="grid gap-1 rounded-card border border-line-soft p-3">
      <p className="text-12 text-ink-3">{channel === 'email' ? `主题：${site}` : site}</p>
      <p className="text-14 font-semibold break-words">{channel === 'email' ? `${site}：${head}` : head}</p>
      <p className="text-13 break-words whitespace-pre-line text-ink-2">{text}</p>
      {channel === 'email' && (
        <p className="mt-2 text-12 text-ink-3">这封邮件由{site}自动发送。不想再收到，可在“消息 - 提醒设置”中关闭。</p>
      )}
    </div>
  );
}
