// Loaded into the command line's process before anything else: records what the run touches, stands in for the network.
// Writes one JSON report when the process ends.
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { join } from 'node:path';

const folder = process.env.HOSTILE_REPORT;
const service = process.env.HOSTILE_SERVICE;
const report = { opened: [], connections: [], lookups: [], requests: [] };
const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const before = prototypes.map((prototype) => Reflect.ownKeys(prototype).length);

const record =
  (list, original) =>
  (path, ...rest) => {
    list.push(String(path));
    return original(path, ...rest);
  };
for (const name of ['open', 'readFile']) fs.promises[name] = record(report.opened, fs.promises[name]);
for (const name of ['openSync', 'readFileSync', 'createReadStream']) fs[name] = record(report.opened, fs[name]);
const { writeFileSync } = fs;
const { lookup } = dns;
dns.lookup = record(report.lookups, lookup);
syncBuiltinESMExports();

const { connect } = net.Socket.prototype;
let allowed = 0;
net.Socket.prototype.connect = function (...args) {
  if (allowed === 0) report.connections.push(JSON.stringify(args[0]));
  return connect.apply(this, args);
};

const realFetch = globalThis.fetch;
// The names of the cases do not exist: each request is answered by the recording service, which knows it by a header.
globalThis.fetch = async (url, options = {}) => {
  const headers = Object.fromEntries(new Headers(options.headers));
  report.requests.push({ url: String(url), headers });
  if (!service) throw new TypeError('fetch failed');
  allowed++;
  try {
    return await realFetch(service, { ...options, headers: { ...headers, 'x-original-url': String(url) } });
  } finally {
    allowed--;
  }
};

process.on('exit', () => {
  report.polluted = prototypes.some((prototype, index) => Reflect.ownKeys(prototype).length !== before[index]);
  report.polluted ||= {}.polluted !== undefined;
  report.pwned = globalThis.__PWNED !== undefined;
  report.maxRssMB = process.resourceUsage().maxRSS / 1024;
  writeFileSync(join(folder, `report-${process.pid}.json`), JSON.stringify(report));
});
