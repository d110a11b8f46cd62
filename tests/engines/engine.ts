/** Interface of a browser that Playwright cannot drive here: Firefox and WebKit as Debian ships them. */

/** One source of input, as WebDriver and WebDriver BiDi both write it. */
export interface InputSource {
  type: 'pointer' | 'key';
  id: string;
  actions: Record<string, unknown>[];
}

export interface Engine {
  /** Opens an address and waits until it has loaded. */
  open(url: string): Promise<void>;
  /** Runs a function in the page. It is sent as its text: it sees its arguments only, which are sent as JSON, as is its answer. */
  ask<A extends unknown[], T>(inPage: (...args: A) => T, ...args: A): Promise<T>;
  perform(sources: InputSource[]): Promise<void>;
  /** Chooses a file in the file field of that selector. */
  attach(selector: string, file: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Console errors of the pages since the last call. */
  complaints(): Promise<string[]>;
  /** The screen as a PNG, in Base64. */
  picture(): Promise<string>;
  close(): Promise<void>;
}

/** A function's call as an expression that returns JSON. */
export const callOf = (inPage: (...args: never[]) => unknown, args: unknown[]): string =>
  `JSON.stringify((${inPage.toString()})(...${JSON.stringify(args)})) ?? 'null'`;
