// SPDX-License-Identifier: 0BSD
import type { Middleware } from './client.js';

/**
 * Middleware that follows redirects of GET and HEAD requests within their origin, at most `limit` in a row. Every other
 * redirect stays an answer: elsewhere the platform would take API keys along, and other methods would be sent twice.
 * Browsers hide redirects; there the answer is unexpected, with status 0.
 */
export function followRedirects(limit = 5): Middleware {
  return async (first, next) => {
    let request = first;
    let response = await next(request);
    for (let hops = 0; hops < limit; hops += 1) {
      const target = redirectTarget(request, response);
      if (target === undefined) break;
      await response.body?.cancel();
      request = new Request(target, request);
      response = await next(request);
    }
    return response;
  };
}

function redirectTarget(request: Request, response: Response): string | undefined {
  const location = response.headers.get('location');
  const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
  if (!isRedirect || location === null || !/^(GET|HEAD)$/.test(request.method)) return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const { origin, pathname, search } = new URL(location, request.url);
  // Put together anew, which leaves out a user name.
  return origin === new URL(request.url).origin ? origin + pathname + search : undefined;
}
