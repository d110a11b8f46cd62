/** A call that the market refused, or that had no answer (`status` 0). `message` can be shown to a person. */
export class YoushiError extends Error {
  override name = 'YoushiError';
  /** The code of the market's table of errors; -1 without an answer. */
  readonly code: number;
  readonly status: number;
  /** The field of the input that it is about, as `price` or `list.0.stock`. */
  readonly field: string | undefined;

  constructor(message: string, given: { code: number; status: number; field?: string | undefined; cause?: unknown }) {
    super(message, { cause: given.cause });
    this.code = given.code;
    this.status = given.status;
    this.field = given.field;
  }
}
