/**
 * A minimal chat: what one member of a room sends goes to all of them. Nothing is stored. With `LOG_FILE` it waits for the disk like a
 * database's log: received messages are written and synced together before they are sent, into a preallocated file.
 */
import { open } from 'node:fs/promises';
import http from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

const BLOCK = 8192;
const FILE_BLOCKS = 2048;

const rooms = new Map<string, Set<WebSocket>>();
const server = http.createServer((_request, response) => response.end('ok'));
const wss = new WebSocketServer({ server, perMessageDeflate: false });
const store = process.env.LOG_FILE === undefined ? undefined : await logOf(process.env.LOG_FILE);

/** Returns a function that calls its listener when the text is on disk; texts that arrive during a sync go into the next. */
async function logOf(file: string): Promise<(text: string, stored: () => void) => void> {
  const handle = await open(file, 'w');
  await handle.write(Buffer.alloc(BLOCK * FILE_BLOCKS));
  await handle.sync();
  const block = Buffer.alloc(BLOCK);
  let pending: { text: string; stored: () => void }[] = [];
  let running = false;
  let at = 0;
  const run = async (): Promise<void> => {
    running = true;
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      block.write(batch.map(({ text }) => text).join('\n'));
      await handle.write(block, 0, BLOCK, at * BLOCK);
      at = (at + 1) % FILE_BLOCKS;
      await handle.datasync();
      for (const { stored } of batch) stored();
    }
    running = false;
  };
  return (text, stored) => {
    pending.push({ text, stored });
    if (!running) void run();
  };
}

wss.on('connection', (ws, request) => {
  const name = request.url ?? '';
  const room = rooms.get(name) ?? new Set();
  rooms.set(name, room.add(ws));
  ws.on('message', (data) => {
    const text = (data as Buffer).toString();
    const send = (): void => {
      for (const member of room) member.send(text);
    };
    if (store) store(text, send);
    else send();
  });
  ws.on('close', () => room.delete(ws));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
