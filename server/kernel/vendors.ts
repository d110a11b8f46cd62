import { UnknownResult, VendorRejected, VendorUnavailable } from './errors.ts';

/** How a call ended. `unreached`: nothing was sent. `unknown`: no usable response. `skipped`: not tried, since the circuit is open. */
export type CallOutcome = 'ok' | 'rejected' | 'unreached' | 'unknown' | 'skipped';

/** `open`: calls are not tried. `probing`: one call decides whether it closes. */
export type CircuitState = 'closed' | 'open' | 'probing';

/** How a vendor is provided here: real, by a stand-in, or switched off. */
export type VendorState = 'on' | 'stand-in' | 'off';

export interface VendorInfo {
  /** 'sms.aliyun', in metrics and tables. */
  readonly key: string;
  /** '阿里云短信' */
  readonly label: string;
  /** Its purpose for the market: '短信'. */
  readonly subject: string;
  readonly state: VendorState;
}

/** One call that ended. `error` is the vendor's code or our own text, without any user input. */
export interface VendorCall {
  readonly vendor: string;
  readonly call: string;
  readonly outcome: CallOutcome;
  readonly ms: number;
  readonly at: Date;
  readonly error: string;
}

export interface VendorListener {
  called?(call: VendorCall): void;
  circuit?(vendor: string, state: CircuitState): void;
}

/** A vendor that calls go through. */
export interface Vendor extends VendorInfo {
  circuit(): CircuitState;
  /**
   * Carries out one call. Throws VendorUnavailable, without trying, while the circuit is open or too many calls are in progress; else what
   * `work` throws.
   */
  run<T>(call: string, work: () => Promise<T>): Promise<T>;
}

export interface VendorRegistry {
  /** Adds a vendor. Throws when its key is taken. */
  add(info: VendorInfo): Vendor;
  list(): readonly Vendor[];
  listen(listener: VendorListener): void;
}

/** This many calls in a row without a usable response open the circuit. */
const FAULTS_TO_OPEN = 5;
/** How long an open circuit waits before one call probes it; doubled by each probe that fails. */
const OPEN_MS = 15_000;
const MAX_OPEN_MS = 5 * 60_000;
/** Maximum concurrent calls to one vendor: a slow vendor must not block all requests of the server. */
const MAX_CONCURRENT = 64;

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof VendorRejected) return 'rejected';
  return error instanceof VendorUnavailable ? 'unreached' : 'unknown';
}

/** The error for metrics and pages: codes and our own texts only; for an unexpected error only its class. */
function errorText(error: unknown): string {
  if (error instanceof VendorRejected) return error.vendorCode;
  if (error instanceof UnknownResult) return error.message.slice(0, 200);
  return error instanceof Error ? error.name : 'error';
}

function createVendor(info: VendorInfo, now: () => number, tell: VendorListener): Vendor {
  let state: CircuitState = 'closed';
  let faults = 0;
  let waitMs = OPEN_MS;
  let openUntil = 0;
  let under = 0;
  const turn = (next: CircuitState): void => {
    if (next === state) return;
    state = next;
    tell.circuit?.(info.key, next);
  };
  const settle = (outcome: CallOutcome, wasProbe: boolean): void => {
    if (outcome === 'ok' || outcome === 'rejected') {
      faults = 0;
      waitMs = OPEN_MS;
      turn('closed');
      return;
    }
    faults++;
    if (!wasProbe && (state !== 'closed' || faults < FAULTS_TO_OPEN)) return;
    if (wasProbe) waitMs = Math.min(waitMs * 2, MAX_OPEN_MS);
    openUntil = now() + waitMs;
    turn('open');
  };
  const report = (call: string, outcome: CallOutcome, ms: number, error: string): void =>
    tell.called?.({ vendor: info.key, call, outcome, ms, at: new Date(), error });
  const isBlocked = (): boolean => state === 'probing' || (state === 'open' && now() < openUntil);
  return {
    ...info,
    circuit: () => state,
    async run(call, work) {
      if (isBlocked() || under >= MAX_CONCURRENT) {
        report(call, 'skipped', 0, '');
        throw new VendorUnavailable(
          `${info.key} is not tried: ${state === 'closed' ? 'too many calls' : 'circuit open'}`,
        );
      }
      const isProbe = state === 'open';
      if (isProbe) turn('probing');
      under++;
      const began = now();
      try {
        const result = await work();
        settle('ok', isProbe);
        report(call, 'ok', now() - began, '');
        return result;
      } catch (error) {
        const outcome = outcomeOf(error);
        settle(outcome, isProbe);
        report(call, outcome, now() - began, errorText(error));
        throw error;
      } finally {
        under--;
      }
    },
  };
}

/**
 * The vendors of this process, each with its own circuit breaker: after five consecutive calls without a usable response it is not called for 15
 * seconds (doubling up to five minutes); then one call decides. A vendor that rejects a request counts as working. `now` in ms is monotonic.
 */
export function createVendorRegistry(now: () => number = () => performance.now()): VendorRegistry {
  const vendors = new Map<string, Vendor>();
  const listeners: VendorListener[] = [];
  const tell: VendorListener = {
    called(call) {
      for (const listener of listeners) listener.called?.(call);
    },
    circuit(vendor, state) {
      for (const listener of listeners) listener.circuit?.(vendor, state);
    },
  };
  return {
    add(info) {
      if (vendors.has(info.key)) throw new Error(`vendor ${info.key} is already registered`);
      const vendor = createVendor(info, now, tell);
      vendors.set(info.key, vendor);
      return vendor;
    },
    list: () => [...vendors.values()],
    listen: (listener) => void listeners.push(listener),
  };
}

/**
 * A port whose named methods go through a vendor's circuit and metrics; all others are unchanged. `guarded(alipay, vendor, ['create',
 * 'query'])`.
 */
export function guarded<T extends object>(port: T, vendor: Vendor, methods: readonly (keyof T & string)[]): T {
  const through = methods.map((name) => {
    const method = port[name];
    if (typeof method !== 'function') return [name, method] as const;
    return [name, (...args: unknown[]) => vendor.run(name, async () => await method.apply(port, args))] as const;
  });
  return { ...port, ...Object.fromEntries(through) };
}
