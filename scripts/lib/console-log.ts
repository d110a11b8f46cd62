/** A logger for command-line scripts, of the shape that the server's functions ask for. */
import type { BaseLogger } from 'pino';

type LogFunction = BaseLogger['info'];

function writer(write: (text: string) => void): LogFunction {
  return (fields: unknown, text?: string): void => {
    if (typeof fields === 'string') return write(fields);
    const values = Object.values(fields ?? {}).map((value) => (value instanceof Error ? value.message : String(value)));
    write([text ?? '', ...values].join(' ').trim());
  };
}

/** Writes each entry as one plain line. */
export const consoleLog = {
  info: writer((text) => console.log(text)),
  warn: writer((text) => console.warn(text)),
  error: writer((text) => console.error(text)),
};

/** Writes only warnings and errors. */
export const quietLog = { ...consoleLog, info: writer(() => undefined) };
