/** The least that a chat can be: what comes from one of a room goes to all of the room. Nothing is stored. */
import http from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

const rooms = new Map<string, Set<WebSocket>>();
const server = http.createServer((_request, response) => response.end('ok'));
const wss = new WebSocketServer({ server, perMessageDeflate: false });

wss.on('connection', (ws, request) => {
  const name = request.url ?? '';
  const room = rooms.get(name) ?? new Set();
  rooms.set(name, room.add(ws));
  ws.on('message', (data) => {
    for (const member of room) member.send((data as Buffer).toString());
  });
  ws.on('close', () => room.delete(ws));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
