import type { SmsTexts } from '#server/config/config-vendors.ts';
import { VendorRejected } from '#server/kernel/errors.ts';
import type { SmsMessage } from '#server/ports/sms.ts';

/** Maximum length of a template variable; both vendors reject longer ones. */
const VARIABLE_LETTERS = 35;

/** Notice kinds have dots, which settings write as underscores: 'notice.order_paid'. */
const keyOf = (kind: string): string => kind.replaceAll('.', '_');

/** The template of a notice of this kind; undefined where the vendor has none. */
export function noticeTemplate(texts: SmsTexts, kind: string): string | undefined {
  return texts.templates.get(`notice.${keyOf(kind)}`) ?? texts.templates.get('notice');
}

/** A variable of a template: one line, cut to its length, without links and brackets, which operators reject. */
function variable(text: string): string {
  const line = text
    .replace(/https?:\/\/\S+/g, '')
    .replace(/[\s【】]+/gu, ' ')
    .trim();
  const letters = [...line];
  return letters.length <= VARIABLE_LETTERS ? line : `${letters.slice(0, VARIABLE_LETTERS - 1).join('')}…`;
}

/** The parts of a message that are sent to a vendor. */
export interface Composed {
  sign: string;
  template: string;
  /** In the order of the template: `code`, or `title` and `content`. */
  variables: readonly (readonly [name: string, value: string])[];
}

/** Signature, template and variables of a message. Throws VendorRejected for a notice without a template. */
export function compose(texts: SmsTexts, message: SmsMessage): Composed {
  const sign = texts.signs.get(message.siteCode) ?? texts.sign;
  if (message.code !== '') {
    const template = texts.templates.get(`code.${message.purpose}`) ?? texts.templates.get('code') ?? '';
    return { sign, template, variables: [['code', message.code]] };
  }
  const template = message.template ?? noticeTemplate(texts, message.purpose);
  if (template === undefined) throw new VendorRejected('account', 'no template for notices');
  return {
    sign,
    template,
    variables: [
      ['title', variable(message.title ?? '')],
      ['content', variable(message.text ?? '')],
    ],
  };
}
