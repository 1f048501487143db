// SPDX-License-Identifier: 0BSD
import type { ClientOptions } from './client.js';
import { own } from './parameters.js';

/** Where a call goes whose operation has servers of names: the call's choice, then the client's; a name or a URL. */
export function chooseServer(
  { servers, server }: { readonly servers?: Readonly<Record<string, string>>; readonly server?: string },
  chosen: string | undefined,
  client: ClientOptions<object, string>,
): string | undefined {
  const named = (name: string | undefined) =>
    (name === undefined ? undefined : own(servers, name)) as string | undefined;
  return named(chosen) ?? chosen ?? client.baseUrl ?? named(client.server) ?? server;
}
