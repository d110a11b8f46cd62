import { chinaClock } from '#contract/rules/time/china-time.ts';
import { codes, type ErrorName, type FieldError } from '#contract/codes.ts';

/** An error that a user can cause. Code, HTTP status and Chinese text are in contract/codes.ts. */
export class AppError extends Error {
  override name = 'AppError';
  readonly error: ErrorName;
  /** Replaces the standard text when a more specific one exists. Never contains user input. */
  readonly text: string;
  /** The path of the input that the error is about, as `price` or `items.0.count`; the form shows the text next to it. */
  readonly field: string | undefined;
  /** The call that resolves the error, as 'POST /api/order/sealSecret', if it is not the usual one of the error (http/openapi/next-calls.ts). */
  readonly call: string | undefined;
  /** Every invalid field, if more than the first is known. */
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    error: ErrorName,
    opts: {
      text?: string;
      field?: string;
      errors?: readonly FieldError[];
      call?: string;
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(error, { cause: opts.cause });
    this.error = error;
    this.text = opts.text ?? codes[error][2];
    this.field = opts.field;
    this.errors = opts.errors;
    this.call = opts.call;
    this.retryAfterSeconds = opts.retryAfterSeconds;
  }

  get code(): number {
    return codes[this.error][0];
  }

  get status(): number {
    return codes[this.error][1];
  }
}

/** Throws BAD_INPUT with all errors, in order; returns if there is none. */
export function requireValid(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first) throw new AppError('BAD_INPUT', { text: first.msg, field: first.field, errors });
}

/** Errors raised by our SQL functions (`db` of the subjects, `db/functions`), by SQLSTATE. */
const raisedErrors: Record<string, ErrorName> = {
  YS201: 'GOODS_NOT_ON_SALE',
  YS202: 'GOODS_CHANGED',
  YS203: 'ORDER_TOO_MANY_UNPAID',
  YS204: 'COUPON_UNUSABLE',
  YS205: 'BARGAIN_STATE',
  YS206: 'IDEMPOTENCY_MISMATCH',
  YS207: 'GOODS_STOCK',
  YS208: 'ORDER_STATE',
  YS211: 'COIN_LOTS',
  YS212: 'ORDER_PAUSE',
  YS213: 'ORDER_SAME_GOODS',
  YS214: 'ORDER_HANDOVER_OPEN',
  YS215: 'MIDDLEMAN_ACCOUNT',
  YS216: 'ACCOUNT_CLAIMED',
  YS217: 'SITE_SUSPENDED',
  YS301: 'CHAT_NOT_MEMBER',
  YS302: 'CHAT_CLOSED',
  YS402: 'DISPUTE_STATE',
  YS411: 'GOODS_CLAIMED',
  YS403: 'DISPUTE_OTHER_PERSON',
};

/** Constraints that a user can violate. Any other violation is a bug. */
const constraintErrors: Record<string, ErrorName> = {
  balance_not_negative: 'BALANCE_LOW',
  goods_fingerprint_live: 'GOODS_DUPLICATE',
  real_name_once: 'REAL_NAME_USED',
  orders_one_live: 'GOODS_NOT_ON_SALE',
  order_review_pkey: 'ORDER_RATED',
  coupon_campaign_code_key: 'CAMPAIGN_CODE',
  guarantee_claim_open: 'CLAIM_STATE',
  dispute_open: 'DISPUTE_OPEN',
  dispute_appeal_pkey: 'DISPUTE_STATE',
  dispute_statement_form: 'DISPUTE_STATE',
  dispute_ruling_dispute_id_stage_key: 'DISPUTE_STATE',
};

/** Input field responsible for a constraint, if all calls that can violate it have that field. */
const constraintFields: Readonly<Record<string, string>> = {
  goods_fingerprint_live: 'accountNo',
  coupon_campaign_code_key: 'code',
};

/** Transient database states: connection lost, starting up, out of connections, lock or statement timeout. */
const transientStates = /^(08|53|57|40|55P03|25006)/;

/** Texts of errors that end at a known time. The SQL function passes the time as error detail, in seconds since 1970. */
const untilTexts: Partial<Record<ErrorName, (until: string) => string>> = {
  ORDER_PAUSE: (until) => `您最近有下单未付款的记录，请在 ${until} 之后再下单；已下的订单可以照常付款`,
  ORDER_SAME_GOODS: (until) => `您 24 小时内下过这件商品但没有付款，${until} 之后才能再次下单`,
};

/** An error that ends at a known time: its text names the time in China's time zone. */
function untilError(error: ErrorName, detail: unknown, cause: unknown): AppError | undefined {
  const textOf = untilTexts[error];
  const untilMs = Number(detail) * 1000;
  if (!textOf || !(untilMs > 0)) return undefined;
  const until = chinaClock(new Date(untilMs + 59_999));
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - Date.now()) / 1000));
  return new AppError(error, {
    text: textOf(`${until.slice(5, 10)} ${until.slice(11, 16)}`),
    retryAfterSeconds,
    cause,
  });
}

interface PgFault {
  code?: unknown;
  constraint?: unknown;
  detail?: unknown;
}

/** Maps an error to the AppError that a user caused or that is transient; undefined for a bug. */
export function asAppError(fault: unknown): AppError | undefined {
  if (fault instanceof AppError) return fault;
  if (typeof fault !== 'object' || fault === null) return undefined;
  const { code, constraint, detail } = fault as PgFault;
  if (typeof code !== 'string') {
    const message = fault instanceof Error ? fault.message : '';
    return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    )
      ? new AppError('BUSY', { retryAfterSeconds: 1, cause: fault })
      : undefined;
  }
  const own = raisedErrors[code] ?? (typeof constraint === 'string' ? constraintErrors[constraint] : undefined);
  if (own) {
    const field = typeof constraint === 'string' ? constraintFields[constraint] : undefined;
    return untilError(own, detail, fault) ?? new AppError(own, { cause: fault, ...(field !== undefined && { field }) });
  }
  if (transientStates.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code)) {
    return new AppError('BUSY', { retryAfterSeconds: 1, cause: fault });
  }
  return undefined;
}

/** Asserts an invariant; a violation is a bug, never a user's error. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/**
 * Thrown when the outcome of a request to a vendor is unknown: no connection, a timeout, or a response that is malformed, unsigned or
 * inconclusive. The request is repeated under the same number, never under a new one.
 */
export class UnknownResult extends Error {
  override name = 'UnknownResult';
}

/** Nothing was done: the vendor was unreachable, or its circuit is open. The request may be sent again, to this or another vendor. */
export class VendorUnavailable extends UnknownResult {
  override name = 'VendorUnavailable';
}

/**
 * Why a vendor rejected a request: `input` = the data sent, `limit` = its limits for this receiver, `account` = our account, keys or
 * settings there, `busy` = its load.
 */
export type RejectionKind = 'input' | 'limit' | 'account' | 'busy';

/** A vendor rejected a request with its own code, and nothing was done. */
export class VendorRejected extends Error {
  override name = 'VendorRejected';
  readonly kind: RejectionKind;
  /** The vendor's code, as 'isv.BUSINESS_LIMIT_CONTROL'. */
  readonly vendorCode: string;
  /** The length of the vendor's own window, if its response names one: the same request may succeed after it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: RejectionKind, vendorCode: string, retryAfterSeconds?: number) {
    super(`the vendor rejected it: ${vendorCode}`);
    this.kind = kind;
    this.vendorCode = vendorCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
