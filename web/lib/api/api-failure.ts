/** Message for an error response from a proxy between the browser and the market (product.md 8). */
const UPDATING = '网站正在更新，请稍候...';

/**
 * A call that the server rejected: `code` of the catalogue, its message, the HTTP status, and the path of the input
 * that it is about.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly code: number;
  readonly msg: string;
  readonly status: number;
  readonly field: string | undefined;

  constructor(code: number, msg: string, status: number, field?: string) {
    const message = msg.includes('tcp') ? UPDATING : msg;
    super(message);
    this.code = code;
    this.msg = message;
    this.status = status;
    this.field = field;
  }
}

/**
 * Whether an error has the envelope's fields. In-process calls throw the server's own error class, which browser code
 * never imports, so the shape is checked and not the class.
 */
export function isApiFailure(error: unknown): error is Pick<ApiFailure, 'code' | 'msg' | 'status'> {
  if (typeof error !== 'object' || error === null) return false;
  const { code, msg, status } = error as Record<string, unknown>;
  return typeof code === 'number' && typeof msg === 'string' && typeof status === 'number';
}

/** The status of a call without a response. */
const NO_RESPONSE = 0;

/** Whether a call failed without a response, so that it is unknown whether it was executed. */
export const isNetworkFailure = ({ status }: Pick<ApiFailure, 'status'>): boolean => status === NO_RESPONSE;
