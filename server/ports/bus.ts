/**
 * Messages between processes, delivered at most once; receivers repair gaps from the database. Within one process delivery is
 * immediate.
 */
export interface Bus {
  /** Name of the adapter, for the self-check. */
  readonly name?: string;
  publish(channel: string, message: Record<string, unknown>): void;
  subscribe(channel: string, listener: (message: Record<string, unknown>) => void): () => void;
  close(): Promise<void>;
}

/** A process-local channel on which a bus reports that messages from other processes may have been lost. */
export const BUS_GAP = 'bus.gap';
