/** A browser without a screen: cookies, the two tokens in headers, form-encoded writes, as web/lib/api/api.ts sends them. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { FieldError } from '#contract/codes.ts';
import type { Data, Endpoint, Envelope, Input } from '#contract/endpoint.ts';
import { noteCall } from '../tools/touched.ts';

/** The response to a call: the envelope, the HTTP status, the headers. */
export interface CallResult<T> {
  status: number;
  code: number;
  msg: string;
  /** The input field that the error is about. */
  field: string | undefined;
  /** Every invalid field of the input. */
  errors: readonly FieldError[] | undefined;
  /** Meaningful only while `code` is 0. */
  data: T;
  headers: LightMyRequestResponse['headers'];
}

export interface CallOptions {
  headers?: Record<string, string>;
  idempotencyKey?: string;
  /** Sends JSON instead of a form. */
  json?: boolean;
}

let addresses = 0;

/** A new address for each client, so that budgets per address do not mix the tests up. */
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

function fieldsOf(input: unknown): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === undefined || value === null) continue;
    fields.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return fields;
}

export class TestClient {
  readonly #http: FastifyInstance;
  readonly jar = new Map<string, string>();
  readonly ip: string;
  host: string;
  /** Goes into Authorization. */
  token: string | undefined;

  constructor(http: FastifyInstance, options: { host?: string; token?: string; ip?: string } = {}) {
    this.#http = http;
    this.host = options.host ?? 'localhost';
    this.token = options.token;
    this.ip = options.ip ?? nextAddress();
  }

  /** The headers of this client's requests. */
  headers(): Record<string, string> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const csrf = this.jar.get('csrfToken');
    return {
      host: this.host,
      ...(cookie === '' ? {} : { cookie }),
      ...(this.token === undefined ? {} : { authorization: this.token }),
      ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
    };
  }

  /** Sends any request with this client's cookies and headers; `headers` win, and an empty value leaves a header out. */
  async raw(request: InjectOptions & { headers?: Record<string, string> }): Promise<LightMyRequestResponse> {
    noteCall(request.url);
    const headers: Record<string, string> = { ...this.headers(), ...request.headers };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const response = await this.#http.inject({ remoteAddress: this.ip, ...request, headers: sent });
    for (const { name, value, maxAge, expires } of response.cookies as {
      name: string;
      value: string;
      maxAge?: number;
      expires?: Date;
    }[]) {
      const gone = value === '' || maxAge === 0 || (expires !== undefined && expires.getTime() < Date.now());
      if (gone) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return response;
  }

  /** Calls an endpoint; a rejection is an ordinary result. */
  async call<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    options: CallOptions = {},
  ): Promise<CallResult<Data<E>>> {
    const fields = fieldsOf(input);
    const headers = { ...options.headers };
    if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
    const body = options.json === true ? JSON.stringify(input) : fields.toString();
    const type = options.json === true ? 'application/json' : 'application/x-www-form-urlencoded';
    const response =
      endpoint.method === 'GET'
        ? await this.raw({
            method: 'GET',
            url: fields.size > 0 ? `${endpoint.path}?${fields.toString()}` : endpoint.path,
            headers,
          })
        : await this.raw({
            method: 'POST',
            url: endpoint.path,
            headers: { 'content-type': type, ...headers },
            payload: body,
          });
    const envelope = response.json<Envelope<Data<E>>>();
    return {
      status: response.statusCode,
      code: envelope.code,
      msg: envelope.msg,
      field: envelope.field,
      errors: envelope.errors,
      data: envelope.data as Data<E>,
      headers: response.headers,
    };
  }

  /** Calls an endpoint that must succeed and returns its data. */
  async ok<E extends Endpoint>(endpoint: E, input: Input<E>, options: CallOptions = {}): Promise<Data<E>> {
    const result = await this.call(endpoint, input, options);
    if (result.code !== 0) throw new Error(`${endpoint.path}: ${result.status} ${result.code} ${result.msg}`);
    return result.data;
  }
}
