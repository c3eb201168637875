import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';

/**
 * The minimum that answers a list and a record over HTTP: one query and its serialisation, without sign-in, versions or
 * files. Runs as its own process, like the real server: `node bare-postgres.ts ADDRESS` prints its port and exits with its
 * parent.
 */
const pool = new Pool({ connectionString: process.argv[2] });

const server = createServer((request, response) => {
  const id = /\/(\d+)$/.exec(request.url ?? '')?.[1];
  const query =
    id === undefined
      ? pool.query('SELECT id, brand, model FROM grid_tie_inverters ORDER BY id')
      : pool.query('SELECT * FROM grid_tie_inverters WHERE id = $1', [id]);
  void query.then(({ rows }) => response.setHeader('content-type', 'application/json').end(JSON.stringify(rows)));
});

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit()).resume();
