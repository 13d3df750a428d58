// The least that a Durable Object can do with a message and still lose none: store it as one row, then send it to
// the object's other sockets. The first part of the path names the object.

import { DurableObject } from 'cloudflare:workers'

export class Echo extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    ctx.storage.sql.exec('create table if not exists messages (n integer primary key, body text not null)')
  }

  fetch() {
    const [client, server] = Object.values(new WebSocketPair())
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }

  webSocketMessage(from, message) {
    this.ctx.storage.sql.exec('insert into messages (body) values (?)', message)
    for (const socket of this.ctx.getWebSockets()) if (socket !== from) socket.send(message)
  }
}

export default {
  fetch(request, env) {
    if (request.headers.get('upgrade') !== 'websocket') return new Response('echo')
    return env.ECHO.getByName(new URL(request.url).pathname).fetch(request)
  },
}
