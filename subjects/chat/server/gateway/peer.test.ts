/** Heartbeats of the chat's connections: who is pinged and who is closed. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { Context } from '#server/context.ts';
import { Peer } from './peer.ts';

const INTERVAL_MS = 25_000;
const DEAD_MS = 60_000;

/** A connection that only counts its pings. */
class Socket extends EventEmitter {
  pings = 0;
  isTerminated = false;
  ping(): void {
    this.pings++;
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

function peerOf(socket: Socket): Peer {
  const who = { member: '1', staffId: null, mayWrite: true, sessionHash: 'h' };
  const ctx = { monotonicMs: () => performance.now() } as Context;
  return new Peer(ctx, socket as unknown as WebSocket, who as never, async (work) => await work());
}

/** Advances the time by seconds and checks the connection in each. */
function pass(peer: Peer, seconds: number): void {
  for (let i = 0; i < seconds; i++) {
    vi.advanceTimersByTime(1000);
    peer.probe(INTERVAL_MS, DEAD_MS);
  }
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a silent connection is pinged once in each interval, and closed when it stays silent', () => {
  const socket = new Socket();
  const peer = peerOf(socket);
  pass(peer, 24);
  expect(socket.pings).toBe(0);
  pass(peer, 30);
  expect(socket.pings).toBe(2);
  expect(socket.isTerminated).toBe(false);
  pass(peer, 10);
  expect(socket.isTerminated).toBe(true);
});

test('one that answers stays open', () => {
  const socket = new Socket();
  const peer = peerOf(socket);
  for (let i = 0; i < 10; i++) {
    pass(peer, 26);
    socket.emit('pong');
  }
  expect(socket.pings).toBe(10);
  expect(socket.isTerminated).toBe(false);
});
