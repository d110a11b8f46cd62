/** Messages between processes; at most once, so receivers repair gaps from the database. Within one process it is immediate. */
export interface Bus {
  /** What answers behind the port, for the self-check. */
  readonly name?: string;
  publish(channel: string, message: Record<string, unknown>): void;
  subscribe(channel: string, listener: (message: Record<string, unknown>) => void): () => void;
  close(): Promise<void>;
}

/** The channel of this process alone on which a bus says that messages of other processes may have been lost. */
export const BUS_GAP = 'bus.gap';
