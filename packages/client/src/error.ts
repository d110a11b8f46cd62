/** A call that the market refused, or that had no answer (`status` 0). `message` can be shown to a person. */
export class YoushiError extends Error {
  override name = 'YoushiError';
  /** The code of the market's table of errors; -1 without an answer. */
  readonly code: number;
  readonly status: number;
  /** The field of the input that it is about, as `price` or `list.0.stock`. */
  readonly field: string | undefined;
  /** Every invalid field of the input with a separate sentence; empty for other errors. */
  readonly errors: readonly { field: string; msg: string }[];

  constructor(
    message: string,
    given: {
      code: number;
      status: number;
      field?: string | undefined;
      errors?: readonly { field: string; msg: string }[] | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: given.cause });
    this.code = given.code;
    this.status = given.status;
    this.field = given.field;
    this.errors = given.errors ?? [];
  }
}
