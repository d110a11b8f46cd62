/** What is said for words that come from between the browser and the market (product.md 8). */
const UPDATING = '网站正在更新，请稍候...';

/** A call that the server refused: `code` of the catalogue, its sentence, the HTTP status, and the path of the input that it is about. */
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
 * Whether an error carries the envelope's fields. In-process calls throw the server's own error class, which this side
 * never imports, so the shape is looked at and not the class.
 */
export function isApiFailure(error: unknown): error is Pick<ApiFailure, 'code' | 'msg' | 'status'> {
  if (typeof error !== 'object' || error === null) return false;
  const { code, msg, status } = error as Record<string, unknown>;
  return typeof code === 'number' && typeof msg === 'string' && typeof status === 'number';
}

/** The status of a call that no response came back for. */
const NO_RESPONSE = 0;

/** Whether a call failed on the way, so that nobody knows whether it was carried out. */
export const isNetworkFailure = ({ status }: Pick<ApiFailure, 'status'>): boolean => status === NO_RESPONSE;
