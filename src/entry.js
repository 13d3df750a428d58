// The Worker's entry: the compiled Worker, with an answer for the callers of one that has died.
//
// Where the Worker and its objects share an isolate, as on one machine, they share one WebAssembly instance, and a panic in
// any of them ends it. The Worker's half of every call that is under way dies with it: its promises never settle, and the
// caller would wait until the platform gives up. This file is outside of the instance, so it can notice and answer.

import Hoshi from "../build/index.js";
export * from "../build/index.js";

// How often a call that is under way looks whether its instance still lives, in milliseconds.
const LOOK_EVERY = 25;

// What the compiled Worker's glue and `objects/panic_guard.rs` tell of the instance.
const instance = globalThis.__worker_init_state;

// The headers that `api/origin.rs` adds to every answer: those for a page of an allowed origin, and those that keep browsers from guessing.
const headersFor = (request, env) => {
  const origin = request.headers.get("origin");
  const allowed = (env.ALLOWED_ORIGINS ?? "").split(/[ ,]/);
  const headers = { vary: "origin", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };
  if (origin && allowed.includes(origin)) {
    headers["access-control-allow-origin"] = origin;
    headers["access-control-expose-headers"] = "retry-after";
  }
  return headers;
};

// The same body as `Problem::unavailable` makes.
const unavailable = (request, env) =>
  new Response(
    JSON.stringify({
      code: "unavailable",
      detail: "a part of the server is away for a moment; nothing was lost, try again",
      status: 503,
      title: "Away for a moment",
      type: "urn:hoshi:problem:unavailable",
    }),
    {
      status: 503,
      headers: {
        ...headersFor(request, env),
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        "retry-after": "1",
      },
    },
  );

export default class extends Hoshi {
  async fetch(request) {
    const born = instance.instanceId;
    let looking;
    const died = new Promise((resolve) => {
      looking = setInterval(() => {
        if (instance.criticalError || instance.instanceId !== born) resolve(unavailable(request, this.env));
      }, LOOK_EVERY);
    });
    try {
      return await Promise.race([super.fetch(request), died]);
    } finally {
      clearInterval(looking);
    }
  }
}
