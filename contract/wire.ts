import { chinaClock, isDay } from '#contract/rules/time/china-time.ts';
import { z } from 'zod';
import './chinese.ts';
import { amountError, grouped, MAX_FEN } from './rules/amounts.ts';
import { isPhone, phoneMessages } from './rules/contacts/phone.ts';
import { typedAmount, typedDigits, typedPhone, typedSn } from './rules/texts/typed.ts';

/** Integer fen. 100 fen are one yuan. Branded so that passing an amount in yuan does not compile. */
export type Fen = number & { readonly __fen: unique symbol };

/** Marks an integer as fen. Throws RangeError on anything but a safe integer. */
export function fen(value: number): Fen {
  if (!Number.isSafeInteger(value)) throw new RangeError('not a whole number of fen');
  return value as Fen;
}

/** Fen as yuan text with two decimals: 128800 becomes '1288.00'. */
export function yuanText(value: number): string {
  const sign = value < 0 ? '-' : '';
  const abs = Math.abs(value);
  return `${sign}${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`;
}

/** Fen as yuan within a sentence, with thousands separators: 123456789 becomes '1,234,567.89'. */
export function yuanLabel(value: number): string {
  return grouped(yuanText(value));
}

/**
 * Converts yuan text to fen with integers only; null when the text is not a plain amount (no exponent, sign or
 * full-width digit).
 */
export function parseYuan(text: string): Fen | null {
  if (amountError(text) !== null) return null;
  const [whole = '0', part = ''] = text.split('.');
  return fen(Number(whole) * 100 + Number(part.padEnd(2, '0')));
}

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A text field: trimmed, NFC, no control characters or lone surrogates, at most `max` characters. */
export function text(max: number, opts: { min?: number; label?: string } = {}) {
  const label = opts.label ?? '内容';
  return z
    .string({ error: `${label}不能为空` })
    .refine((s) => !controls.test(s) && s.isWellFormed(), `${label}含有不支持的字符`)
    .transform((s) => s.normalize('NFC').trim())
    .refine((s) => s.length >= (opts.min ?? 0), opts.min === 1 ? `${label}不能为空` : `${label}至少 ${opts.min} 个字`)
    .refine((s) => s.length <= max, `${label}不能超过 ${max} 个字`);
}

/** An optional text field; the empty string counts as absent. */
export function optionalText(max: number, label?: string) {
  return text(max, label ? { label } : {})
    .transform((s) => (s === '' ? undefined : s))
    .optional();
}

/** A whole number, as digits or as a JSON number, within bounds. */
export function int(opts: { min?: number; max?: number; label?: string } = {}) {
  const label = opts.label ?? '数值';
  const min = opts.min ?? 0;
  const max = opts.max ?? Number.MAX_SAFE_INTEGER;
  return z
    .union([z.string().regex(/^-?\d{1,15}$/, `${label}应为整数`), z.number().int(`${label}应为整数`)], {
      error: ({ input }) => (input === undefined ? `${label}不能为空` : `${label}应为整数`),
    })
    .transform(Number)
    .refine((n) => n >= min && n <= max, `${label}超出范围`);
}

/** An optional whole number; the empty string counts as absent. */
export function optionalInt(opts: { min?: number; max?: number; label?: string } = {}) {
  return z
    .union([z.literal('').transform(() => undefined), int(opts)], { error: `${opts.label ?? '数值'}应为整数` })
    .optional();
}

/** A yes or no, as 1/0/true/false. */
export const flag = z
  .union([z.boolean(), z.enum(['0', '1', 'true', 'false']), z.literal(0), z.literal(1)], { error: '选项不正确' })
  .transform((v) => v === true || v === '1' || v === 'true' || v === 1);

/** An amount in yuan on the wire, fen inside, in any form that `typedAmount` reads; rejects NaN, 1e3, 0.001 and signs with a message. */
export function amount(opts: { minFen?: number; maxFen?: number; label?: string } = {}) {
  const label = opts.label ?? '金额';
  const most = yuanText(opts.maxFen ?? MAX_FEN);
  return z
    .union([z.string(), z.number()], {
      error: ({ input }) => (input === undefined ? `${label}不能为空` : `${label}应为数字`),
    })
    .transform((v, ctx) => {
      const typed = typeof v === 'string' ? typedAmount(v) : String(v);
      const value = parseYuan(typed);
      if (value === null) {
        ctx.addIssue({ code: 'custom', message: amountError(typed, label, most) ?? `${label}应为数字` });
        return z.NEVER;
      }
      return value;
    })
    .refine((v) => v >= (opts.minFen ?? 1), `${label}不能低于 ${yuanLabel(opts.minFen ?? 1)} 元`)
    .refine((v) => v <= (opts.maxFen ?? MAX_FEN), `${label}不能超过 ${grouped(most)} 元`);
}

/**
 * A text that is normalised before `schema` checks it. To the outside it is the schema itself: its description in OpenAPI
 * and its types are the same.
 *
 * @param read one of contract/rules/texts/typed.ts
 */
export function typed<S extends z.ZodType>(
  read: (text: string) => string,
  schema: S,
): z.ZodType<z.output<S>, z.input<S>> {
  return z.preprocess((value) => (typeof value === 'string' ? read(value) : value), schema) as unknown as z.ZodType<
    z.output<S>,
    z.input<S>
  >;
}

/**
 * An optional id or number in any form that `read` reads, of at most `max` characters; the empty string counts as absent.
 *
 * @param read one of contract/rules/texts/typed.ts
 */
export function optionalTyped(read: (text: string) => string, max: number, label: string) {
  return typed(
    read,
    text(max, { label }).transform((s) => (s === '' ? undefined : s)),
  ).optional();
}

/** An optional code, as an SMS shows it. */
export const optionalCode = optionalTyped(typedDigits, 8, '验证码');

/**
 * Number of a listing (letters and 7 digits) or of an order (digits). Only the length is checked: an unknown one is
 * simply not found.
 */
export const sn = typed(typedSn, z.string({ error: '编号不能为空' }).regex(/^[A-Za-z0-9-]{1,32}$/, '编号格式不正确'));

/** 11 digits starting with 1 and no second digit below 3 (product.md 5). */
export const plainPhone = z
  .string({ error: phoneMessages.empty })
  .min(1, phoneMessages.empty)
  .refine(isPhone, phoneMessages.wrong);

/** A phone number in any form that `typedPhone` reads (docs/decisions/545). */
export const phone = typed(typedPhone, plainPhone);

/** A code of six digits, as an SMS or an authenticator shows it. `empty` and `wrong` are the messages. */
export const sixDigits = (empty: string, wrong: string) =>
  typed(typedDigits, z.string({ error: empty }).regex(/^\d{6}$/, wrong));

/** JSON text in a form field, parsed and checked. */
export function json<T extends z.ZodType>(schema: T, label = '内容', maxChars = 60_000) {
  return z
    .union([z.string().max(maxChars), z.record(z.string(), z.unknown()), z.array(z.unknown())], {
      error: `${label}格式不正确`,
    })
    .transform((v, ctx) => {
      if (typeof v !== 'string') return v;
      try {
        return JSON.parse(v) as unknown;
      } catch {
        ctx.addIssue({ code: 'custom', message: `${label}格式不正确` });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** Paging as specified, with a cursor for deep pages (conventions.md, lists). */
export const paging = {
  pages: optionalInt({ min: 1, max: 1000, label: '页码' }),
  pageSize: optionalInt({ min: 1, max: 50, label: '每页数量' }),
  cursor: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_-]*$/, '游标不正确')
    .optional(),
};

/** Fen on the server, yuan text on the wire. */
export const money = z.number().int().transform(yuanText).pipe(z.string());

/** Date on the server, ISO 8601 with the offset of China on the wire. */
export const time = z
  .date()
  .transform((d) => `${chinaClock(d)}+08:00`)
  .pipe(z.string());

/**
 * The end of each list response: the total, exact up to 1,000 (`totalCapped`: there are more), and the cursor of the next
 * page, null on the last one.
 */
export const listTail = { total: z.number().int(), totalCapped: z.boolean().optional(), next: z.string().nullable() };

/** The results of a batch: the items that were done, and the rejected ones with the reason. */
export const bulkResult = z.object({
  done: z.array(z.string()),
  refused: z.array(z.object({ key: z.string(), text: z.string() })),
});

/** A response without content. */
export const nothing = z.object({});

const CHINA_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\+08:00)?$/;

/** A moment in China's time as entered in a form, 2026-11-20T19:30, as a Date; a day or hour that does not exist is rejected. */
export function chinaTime(label: string) {
  return z
    .string({ error: `${label}不能为空` })
    .min(1, `${label}不能为空`)
    .regex(CHINA_TIME, `${label}格式不正确，例如 2026-11-20T19:30`)
    .transform((typed, ctx) => {
      const at = Date.parse(typed.endsWith('+08:00') ? typed : `${typed}+08:00`);
      // The parser rolls 30 February over into March.
      if (Number.isNaN(at) || !chinaClock(new Date(at)).startsWith(typed.slice(0, 16))) {
        ctx.addIssue({ code: 'custom', message: `${label}不存在` });
        return z.NEVER;
      }
      return new Date(at);
    });
}
/** As `chinaTime`, optional: the empty string counts as absent. */
export const optionalChinaTime = (label: string) =>
  z.union([z.literal('').transform(() => undefined), chinaTime(label)], { error: `${label}格式不正确` }).optional();

/** A day of China's calendar, 2026-11-20. */
export const chinaDayField = (label: string) =>
  z
    .string({ error: `${label}不能为空` })
    .regex(/^\d{4}-\d{2}-\d{2}$/, `${label}格式不正确，例如 2026-11-20`)
    .refine(isDay, `${label}不存在`);
